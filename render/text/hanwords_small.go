//go:build smallfonts

package text

// hanWords are left out where there is no face to set them in: see package fonts.
const hanWords = ""
