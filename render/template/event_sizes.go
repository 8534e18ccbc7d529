package template

import (
	"image"

	"masthead/render/paint"
	"masthead/render/template/kit"
	"masthead/render/text"
)

// eventUpright draws the whole leaf over the title, as large as the texts leave it.
func eventUpright(c *kit.Card) {
	const gap = 48
	f, on := c.Format(), tinted(c, .24, .92, .75)
	u := kit.Upright{On: on, Foot: kit.UprightEnd(c), Top: f.Least + 30, Heading: kit.Heading{
		Ladder: text.Steps(2, 132, 116, 104).Then(3, 92, 84).Then(4, 76, 68),
	}}
	if f == kit.Story {
		u.Heading.Ladder = f.Ladder
	}
	c.Begin(paint.Solid(on.Color))
	when := kit.Item{Block: c.Line(c.Leaf.Time, c.TextStyle(44, 600), f.Inner()), Role: kit.Essential, Color: on.Text}
	if c.Leaf.Note != "" { // a chip is in its place
		when = kit.Item{}
	}
	foot := kit.Column{X: f.X0, Y: u.Foot - 120, W: f.Inner(), H: 120, Anchor: kit.Bottom, Gap: 32, Foot: u.Foot}
	if put := c.PutColumn(foot, when,
		kit.Item{Block: eventPlace(c, 36, f.Inner()), Role: kit.Essential, Color: on.Muted}); len(put) > 0 {
		u.Foot = min(put[0].Y, put[0].Bounds().Y0) - gap
	}
	if c.Leaf.Note != "" {
		u.Foot = putEventNote(c, int(f.X0), 40, u.Foot+12, f.Inner()) - gap
	}
	end := float64(u.Put(c))
	top := max(f.Top-12, 64)
	drawEventLeaf(c, leafOver(c, top, min(end-top, .46*float64(f.H))), on, true)
	kit.PutUprightFoot(c, on, on)
}

// leafOver returns a whole leaf of a height, in the middle of the card, whose measures are those of a share image's
// leaf but for its lower end.
func leafOver(c *kit.Card, top, high float64) *calendarLeaf {
	const width, height = 440, 500
	k := high / height
	w := int(width * k)
	left := (c.W - w) / 2
	return &calendarLeaf{
		Rectangle: image.Rect(left, int(top), left+w, int(top+high)), whole: true, k: k, head: int(132 * k),
		day: top + 284*k, weekday: top + 424*k, dayPx: 270 * k, radius: 28 * k, hole: int(12 * k), holes: int(116 * k),
	}
}
