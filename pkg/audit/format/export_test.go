package format

// ReadBaselineWithin is ReadBaseline with other bounds.
var ReadBaselineWithin = readBaseline

// PagePaths is pagePaths.
var PagePaths = pagePaths

// MaxSARIFResults is maxSARIFResults.
const MaxSARIFResults = maxSARIFResults
