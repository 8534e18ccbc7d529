package blob

import (
	"errors"
	"io"
	"os"
	"sync"
)

// maxSpare is the size of the largest buffers that are used again.
const maxSpare = 512 << 10

// spare has the buffers of files that nobody uses any longer, as *[]byte: without them, the garbage of a hit on the
// disk would mostly be its file.
var spare sync.Pool

// Recycle gives the bytes that [Disk.Get] returned back for the next file. Nobody may use them afterwards.
func Recycle(data []byte) {
	if cap(data) <= maxSpare {
		spare.Put(&data)
	}
}

// buffer returns n bytes of any content.
func buffer(n int64) []byte {
	if p, ok := spare.Get().(*[]byte); ok && int64(cap(*p)) >= n {
		return (*p)[:n]
	}
	return make([]byte, n)
}

// readFile reads a file whose content doesn't change, with one call.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	data := buffer(info.Size())
	n, err := io.ReadFull(f, data)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) { // it's damaged, which callers notice
		err = nil
	}
	return data[:n], err
}
