package text

// Faults of a title beside its demerits, which are those of a column. Source: docs/rendering.md#fit.
const (
	faultGrave  = .06  // a break that is grave
	faultSeam   = .25  // a word that is parted at the seam of a compound
	faultCut    = 2    // … elsewhere
	faultLine   = .012 // a line
	columnPrice = 1.1  // of a size, as a share of its price in the same column
	emptyShare  = .72  // of the larger size, below which no lines are so much better: the title would be lost in its card
)

// ReadsBetter reports whether a title is better than another layout of the same text, in a column of another width: it
// is whole, unlike the other one, or its lines are so much better that its size, if smaller, is worth it.
func ReadsBetter(b, other *Block) bool {
	if b.Truncated != other.Truncated {
		return other.Truncated
	}
	large := max(b.SizePx, other.SizePx)
	if small := min(b.SizePx, other.SizePx); small < emptyShare*large {
		larger := b
		if other.SizePx == large {
			larger = other
		}
		if !larger.cut {
			return larger == b
		}
	}
	return b.faults(large) < other.faults(large)
}

// faults returns the demerits of the lines of a title, and the price of its size compared with a larger one.
func (b *Block) faults(large float64) float64 {
	faults := max(b.demerits, 0) + columnPrice*europeanPrice.of(1-b.SizePx/large) + faultLine*float64(len(b.Lines))
	if b.worst >= gravePenalty && b.worst < penaltyOrphanWord {
		faults += faultGrave
	}
	switch {
	case b.cut:
		faults += faultCut
	case b.seam:
		faults += faultSeam
	}
	return faults
}

// worthRoom is by how many demerits the lines of a title must be better for another part of a card to give way.
const worthRoom = .05

// Awkward reports whether a line of b ends where another place, size or width should avoid it: between words that
// belong together, in a word that leans on the next one, or before one short word alone.
func (b *Block) Awkward() bool { return b.worst >= gravePenalty }

// WorthRoom reports whether the lines of b end so much better than those of another block of the same text that a part
// of the card may give way to them. Unlike [ReadsBetter] it is for a column that costs something, and leaves sizes out.
func (b *Block) WorthRoom(other *Block) bool { return b.demerits+worthRoom < other.demerits }
