package iconset

import (
	"archive/zip"
	"bytes"
	"fmt"
	"hash/crc32"
	"io"
)

// zipDate is the date of all files in an archive, 1980-01-01, the earliest in the format. With a constant date, equal
// files make equal archives. Source: PKWARE, APPNOTE.TXT, 4.4.6: years since 1980, month, day.
const zipDate = 0<<9 | 1<<5 | 1

// Zip returns an archive of files in the given order. Equal files make an equal archive. Nothing is compressed,
// because PNGs already are and the rest is small.
func Zip(files []File) ([]byte, error) {
	var b bytes.Buffer
	archive := zip.NewWriter(&b)
	for _, f := range files {
		// Length and checksum go before the data instead of after it, because streaming readers can't find the end of
		// a stored file otherwise.
		size := uint64(len(f.Data))
		h := &zip.FileHeader{
			Name: f.Name, Method: zip.Store, CRC32: crc32.ChecksumIEEE(f.Data), CompressedSize64: size, UncompressedSize64: size,
		}
		h.ModifiedDate = zipDate //nolint:staticcheck // SA1019: CreateHeader uses Modified and adds a time zone
		w, err := archive.CreateRaw(h)
		if err == nil {
			_, err = io.Copy(w, bytes.NewReader(f.Data))
		}
		if err != nil {
			return nil, fmt.Errorf("add %s to the archive: %w", f.Name, err)
		}
	}
	if err := archive.Close(); err != nil {
		return nil, fmt.Errorf("close the archive: %w", err)
	}
	return b.Bytes(), nil
}
