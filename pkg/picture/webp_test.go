package picture_test

import (
	"encoding/base64"
	"testing"

	"masthead/pkg/picture"
)

// Lossy pictures have luma from 16 to 235. The file is 16×16 px: #fa780a above #081018.
func TestDecode_webp_range(t *testing.T) {
	const file = "UklGRiACAABXRUJQVlA4WAoAAAAgAAAADwAADwAASUNDUMgBAAAAAAHIAAAAAAQwAABtbnRyUkdCIFhZWiAH4AABAAEAAAAAAABh" +
		"Y3NwAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAQAA9tYAAQAAAADTLQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA" +
		"AAAAAAAAAAAAAAAAAAAAAAAAAAlkZXNjAAAA8AAAACRyWFlaAAABFAAAABRnWFlaAAABKAAAABRiWFlaAAABPAAAABR3dHB0AAAB" +
		"UAAAABRyVFJDAAABZAAAAChnVFJDAAABZAAAAChiVFJDAAABZAAAAChjcHJ0AAABjAAAADxtbHVjAAAAAAAAAAEAAAAMZW5VUwAA" +
		"AAgAAAAcAHMAUgBHAEJYWVogAAAAAAAAb6IAADj1AAADkFhZWiAAAAAAAABimQAAt4UAABjaWFlaIAAAAAAAACSgAAAPhAAAts9Y" +
		"WVogAAAAAAAA9tYAAQAAAADTLXBhcmEAAAAAAAQAAAACZmYAAPKnAAANWQAAE9AAAApbAAAAAAAAAABtbHVjAAAAAAAAAAEAAAAM" +
		"ZW5VUwAAACAAAAAcAEcAbwBvAGcAbABlACAASQBuAGMALgAgADIAMAAxADZWUDggMgAAAHABAJ0BKhAAEAAAwBIloAJ0AUAAAP75" +
		"gWf//0R2X/2Yp//tH2Uxb/68y//15khEAAAA"
	data, err := base64.StdEncoding.DecodeString(file)
	if err != nil {
		t.Fatal(err)
	}
	img, _ := decode(t, data, picture.Want{})
	for _, c := range []struct {
		y    int
		want [3]int
	}{{2, [3]int{250, 120, 10}}, {13, [3]int{8, 16, 24}}} {
		got := img.NRGBAAt(8, c.y)
		for i, v := range []uint8{got.R, got.G, got.B} {
			if d := int(v) - c.want[i]; d < -4 || d > 4 {
				t.Errorf("row %d is %v, want %v", c.y, got, c.want)
				break
			}
		}
	}
}
