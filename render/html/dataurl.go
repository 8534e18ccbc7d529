package html

import (
	"encoding/base64"
	"strings"
)

// DataURL returns the bytes of a data URL. ok is false if the address isn't one, or is damaged.
func DataURL(address string) (data []byte, ok bool) {
	const scheme = "data:"
	if len(address) < len(scheme) || !strings.EqualFold(address[:len(scheme)], scheme) {
		return nil, false
	}
	head, body, found := strings.Cut(address[len(scheme):], ",")
	if !found {
		return nil, false
	}
	plain := unescapePercent(body)
	if !strings.HasSuffix(strings.ToLower(strings.TrimSpace(head)), ";base64") {
		return []byte(plain), true
	}
	plain = strings.Map(func(r rune) rune {
		switch r {
		case ' ', '\n', '\r', '\t', '=':
			return -1
		case '-':
			return '+'
		case '_':
			return '/'
		}
		return r
	}, plain)
	data, err := base64.RawStdEncoding.DecodeString(plain)
	return data, err == nil
}

// unescapePercent resolves %XX; what isn't such an escape remains.
func unescapePercent(s string) string {
	if !strings.Contains(s, "%") {
		return s
	}
	digit := func(c byte) int {
		switch {
		case '0' <= c && c <= '9':
			return int(c - '0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			return int((c|0x20)-'a') + 10
		}
		return -1
	}
	out := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) && digit(s[i+1]) >= 0 && digit(s[i+2]) >= 0 {
			out = append(out, byte(digit(s[i+1])<<4|digit(s[i+2])))
			i += 2
			continue
		}
		out = append(out, s[i])
	}
	return string(out)
}
