package text

// Awkward reports whether a line of b ends where another place, size or width should avoid it: between words that belong
// together, in a word that leans on the next one, or before one short word alone.
func (b *Block) Awkward() bool { return b.worst >= gravePenalty }
