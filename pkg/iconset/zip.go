package iconset

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
)

// zipDate is the day that all files of an archive have: 1980-01-01, the first that the format knows. So the same files
// make the same archive, whenever that is. Source: PKWARE, APPNOTE.TXT, 4.4.6: year since 1980, month, day.
const zipDate = 0<<9 | 1<<5 | 1

// Zip returns an archive of files, in their order. The same files give the same bytes. Nothing is compressed: PNGs are
// already, and the rest is small.
func Zip(files []File) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		// Length and checksum stand before the bytes, rather than behind them, where readers that go from front to back do
		// not find the end of a file that is stored.
		size := uint64(len(f.Data))
		h := &zip.FileHeader{
			Name: f.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Data), CompressedSize64: size, UncompressedSize64: size,
		}
		h.ModifiedDate = zipDate //nolint:staticcheck // SA1019: Modified is for CreateHeader, and adds its zone
		w, err := archive.CreateRaw(h)
		if err == nil {
			_, err = io.Copy(w, bytes.NewReader(f.Data))
		}
		if err != nil {
			return nil, fmt.Errorf("put %s into the archive: %w", f.Name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("end the archive: %w", err)
	}
	return b.Bytes(), nil
}
