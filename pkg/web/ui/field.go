package ui

// Field is the state of a field for an address.
type Field struct {
	// Value is what stands in it.
	Value string
	// Error says what is wrong with it, in a sentence; "" for nothing. Proposal is an address that may be meant.
	Error, Proposal string
}
