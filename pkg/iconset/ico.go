package iconset

import (
	"bytes"
	"encoding/binary"
	"errors"
)

// ICO returns an icon file that contains the given PNGs unchanged. Their sides must be 1 to 256 pixels. Source:
// Microsoft, "Icons" (ICONDIR and ICONDIRENTRY; https://learn.microsoft.com/previous-versions/ms997538(v=msdn.10)).
// PNG entries work since Windows Vista and in all browsers.
func ICO(pngs ...[]byte) ([]byte, error) {
	type entry struct {
		Width, Height, Colors, Reserved uint8
		Planes, Bits                    uint16
		Size, Offset                    uint32
	}
	const headerBytes, entryBytes = 6, 16
	var head, body bytes.Buffer
	put := func(v any) { _ = binary.Write(&head, binary.LittleEndian, v) } // writes to a buffer never fail
	put([3]uint16{0, 1, uint16(len(pngs))})
	for _, data := range pngs {
		// Width and height are at fixed offsets: after the signature and the length and name of the first chunk.
		if len(data) < 24 || !bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")) {
			return nil, errors.New("make an icon file: not a PNG")
		}
		w, h := binary.BigEndian.Uint32(data[16:]), binary.BigEndian.Uint32(data[20:])
		if w < 1 || h < 1 || w > 256 || h > 256 {
			return nil, errors.New("make an icon file: sides must be 1 to 256 pixels")
		}
		put(entry{
			Width: uint8(w % 256), Height: uint8(h % 256), Planes: 1, Bits: 32, // 0 means 256
			Size: uint32(len(data)), Offset: uint32(headerBytes + entryBytes*len(pngs) + body.Len()),
		})
		body.Write(data)
	}
	return append(head.Bytes(), body.Bytes()...), nil
}
