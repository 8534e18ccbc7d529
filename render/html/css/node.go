package css

import "masthead/render/html/counter"

// NodeKind is the kind of a node of the styled tree.
type NodeKind uint8

// The kinds of nodes.
const (
	ElementNode   NodeKind = iota
	TextNode               // Data is the text as in the document: white space is not collapsed yet
	LineBreakNode          // <br>
	PictureNode            // <img>: Source is its URL
	DrawingNode            // inline <svg>: Source is the whole document as text
	MarkerNode             // the marker of a list item, whose text is Data, or a symbol
)

// Node is an element or text of a document with its computed style: what layout reads. Generated content (::before and
// ::after) are elements of their own. Nodes with display none are left out; display contents remains, and layout
// treats its children as its parent's. A text node has its parent's style. It is read-only.
type Node struct {
	Kind     NodeKind
	Tag      string // of elements; empty for generated ones
	Style    *Style
	Data     string
	Source   string
	Children []*Node
	Parent   *Node

	// Width and Height of an <img> or <svg> by attribute, in px, 0 if missing; they are also presentational hints in
	// Style. Ratio is that of the viewBox of an <svg>, 0 if missing.
	AttrWidth, AttrHeight, Ratio float64
	// ColSpan and RowSpan are how many columns and rows a cell of a table spans, 0 without an attribute. A RowSpan of -1
	// is all rows that are left.
	ColSpan, RowSpan int
	// Line and Column say where the node begins in the document, from 1; 0 if unknown.
	Line, Column int
	// Slot is data-slot; Fit is the value of --fit; both empty otherwise.
	Slot string
	// Aside is set by aria-hidden="true": a decoration, which nobody has to read.
	Aside bool
	// Index is the position in document order, from 0.
	Index int
	// Symbol is the style of a marker, if it is a symbol.
	Symbol counter.Style
	// Container identifies an element that can be queried, from 1, whatever its style; 0 for others.
	Container int
}
