package ui

// Field is the state of an address field.
type Field struct {
	// Value is its content.
	Value string
	// Error says what is wrong with it, in a sentence, or "". Proposal is a suggested address.
	Error, Proposal string
}
