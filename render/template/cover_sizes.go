package template

import (
	"image"

	"masthead/render/template/kit"
	"masthead/render/text"
)

// coverUprights are the measures of cover in its sizes besides those of the kinds.
var coverUprights = map[*kit.Format]coverMeasures{
	kit.Square: {
		margin: 84, width: 912, top: 160, icon: 48, textPx: 34, row: 968, baseline: 894,
		ladder: text.Steps(2, 132).Then(3, 116, 104, 92).Then(4, 84), feather: 300,
		pad: 60, radius: 36, minW: 640, maxW: 996, small: text.Steps(3, 104, 92).Then(4, 84),
	},
	kit.Feed: {
		margin: 84, width: 912, top: 200, icon: 48, textPx: 34, row: 1242, baseline: 1164,
		ladder: text.Steps(2, 148).Then(3, 132, 116, 104).Then(4, 92, 84), feather: 340,
		pad: 60, radius: 36, minW: 640, maxW: 996, small: text.Steps(3, 116, 104, 92).Then(4, 84),
	},
	kit.Story: {
		margin: 84, width: 912, top: 400, icon: 56, textPx: 38, row: 1520, baseline: 1428,
		ladder: text.Steps(3, 148, 132, 124).Then(4, 112, 96), feather: 400, upper: 310,
		pad: 68, radius: 36, minW: 640, maxW: 996, small: text.Steps(3, 132, 124, 112).Then(4, 96), end: 1616,
	},
}

// coverSized are those sizes.
var coverSized = []kit.FormatLayout{
	coverIn(kit.Square, coverUprights[kit.Square]), coverIn(kit.Feed, coverUprights[kit.Feed]),
	coverIn(kit.Story, coverUprights[kit.Story]),
}

// coverIn returns the card with measures in a format. Pictures fill it without being enlarged too much, and without
// losing more than half of them.
func coverIn(f *kit.Format, m coverMeasures) kit.FormatLayout {
	return kit.FormatLayout{
		Format: f, Draw: func(c *kit.Card) { _ = drawCover(c, &m) }, // no label of it is needed
		Fits: func(size image.Point) bool {
			const narrow, wide = .6, 2.
			aspect := float64(size.X) / float64(max(size.Y, 1)) * float64(f.H) / float64(f.W)
			return kit.Sharp(size, f.W, f.H) && aspect >= narrow && aspect <= wide
		},
	}
}
