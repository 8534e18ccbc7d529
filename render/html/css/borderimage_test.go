package css

import "testing"

func TestStyle_borderImage(t *testing.T) {
	const red = "linear-gradient(red,blue)"
	for in, ok := range map[string]bool{
		"border-image:" + red + " 1": true, "border-image:url(a.png) 30% fill / 10px / 2 round": true,
		"border-image:none": true, "border-image:" + red: true, "border-image:1 2 3 4 " + red + " stretch space": true,
		"border-image:" + red + " 1 round / 3px": false, "border-image:" + red + " 1 / 2 / 3 / 4": false,
		"border-image:" + red + " " + red: false, "border-image:" + red + " -1": false, "border-image:round round round": false,
		"border-image-slice:1 2 fill": true, "border-image-slice:fill": false, "border-image-slice:10px": false,
		"border-image-width:auto 1 10% 2px": true, "border-image-width:round": false, "border-image-outset:3px 1": true,
		"border-image-repeat:space round": true, "border-image-repeat:around": false, "border-image-source:1": false,
	} {
		if _, warnings := styled(t, "<p style='"+in+"'>x"); (len(warnings) == 0) != ok {
			t.Errorf("%s: %v", in, warnings)
		}
	}
	root, _ := styled(t, "<style>p{border-image:"+red+" 10 20% fill/3px auto/2 1px space stretch}</style><p>")
	b := find(root, "p").Style.BorderImage
	if b.Source.Gradient == nil || b.Slice[0].Px != 10 || b.Slice[3].Percent != 20 || !b.Fill ||
		b.Width[2].Length.Px != 3 || !b.Width[1].Auto || b.Outset[0].Times != 2 || b.Outset[3].Length.Px != 1 ||
		b.Repeat[0] != RepeatSpace || b.Stretch != [2]bool{false, true} {
		t.Errorf("it is %+v", b)
	}
	root, _ = styled(t, "<p style='border-image:"+red+" 1;border:1px solid'>")
	if !find(root, "p").Style.BorderImage.Source.None() {
		t.Error("border leaves the picture of the border")
	}
}
