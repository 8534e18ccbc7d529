package page

// ParseJSON reads one JSON text as a block of structured data is read.
func ParseJSON(text string) (Value, error) {
	budget := maxJSONValues
	return parseJSON(text, &budget)
}
