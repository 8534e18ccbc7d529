package wire

import (
	"bytes"
	"encoding/csv"
	"io"
	"strings"
)

// MediaTypeCSV is the media type of tables. Source: RFC 4180.
const MediaTypeCSV = "text/csv"

// CSV returns a table with a row of names. Cells that a spreadsheet would run as a formula get an apostrophe in front.
// Source: https://owasp.org/www-community/attacks/CSV_Injection.
func CSV[T any](names []string, items []T, row func(T) []string) (table io.Reader, size int64) {
	var b bytes.Buffer
	w := csv.NewWriter(&b) // writes to b don't fail
	w.UseCRLF = true
	_ = w.Write(names)
	for _, item := range items {
		cells := row(item)
		for i, cell := range cells {
			if cell != "" && strings.ContainsRune("=+-@\t\r\n", rune(cell[0])) {
				cells[i] = "'" + cell
			}
		}
		_ = w.Write(cells)
	}
	w.Flush()
	return &b, int64(b.Len())
}
