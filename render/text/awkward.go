package text

// worthRoom is by how many demerits the lines of a title must be better for another part of a card to give way.
const worthRoom = .05

// Awkward reports whether a line of b ends where another place, size or width should avoid it: between words that
// belong together, in a word that leans on the next one, or before one short word alone.
func (b *Block) Awkward() bool { return b.worst >= gravePenalty }

// ReadsBetter reports whether the lines of b end so much better than those of another block of the same text that a
// part of the card may give way to them.
func (b *Block) ReadsBetter(other *Block) bool { return b.demerits+worthRoom < other.demerits }
