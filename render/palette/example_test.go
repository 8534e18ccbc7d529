package palette_test

import (
	"fmt"

	"masthead/render/palette"
)

func Example() {
	choice := palette.Choose([]palette.Candidate{
		{Color: palette.RGB(0xFFFFFF), Source: palette.ThemeColor},
		{Color: palette.RGB(0x10B981), Source: palette.CustomProperty},
	}, true)
	th := palette.New(choice.Accent, true)
	fmt.Println("accent", palette.Hex(choice.Accent), "from", choice.Source)
	fmt.Println("text", palette.Hex(th.Text), "on", palette.Hex(th.BG))
	fmt.Println("readable:", palette.Contrast(th.Text, th.BG) >= palette.MinText)
	// Output:
	// accent #10B981 from custom-property
	// text #F2F6F4 on #05120B
	// readable: true
}
