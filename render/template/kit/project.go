package kit

import (
	"strconv"
	"strings"
)

// StarsShort writes the number of stars as forges do: “37”, “12.4k”, “1.2m”; "" if it is unknown.
func (p Project) StarsShort() string {
	n := float64(p.Stars)
	switch {
	case p.Stars <= 0:
		return ""
	case p.Stars < 1000:
		return strconv.Itoa(p.Stars)
	case p.Stars < 999_950:
		return strings.TrimSuffix(strconv.FormatFloat(n/1e3, 'f', 1, 64), ".0") + "k"
	}
	return strings.TrimSuffix(strconv.FormatFloat(n/1e6, 'f', 1, 64), ".0") + "m"
}
