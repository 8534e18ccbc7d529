package svg

import "strconv"

// This file counts the entries of number lists that define shapes.

// arguments is the number of arguments of each path command. Two of an arc's seven are flags, which need no separator
// after them: then they look like one number with the next.
var arguments = [256]int{
	'm': 2, 'M': 2, 'l': 2, 'L': 2, 'h': 1, 'H': 1, 'v': 1, 'V': 1, 'c': 6, 'C': 6, 's': 4, 'S': 4, 'q': 4, 'Q': 4,
	't': 2, 'T': 2, 'a': 5, 'A': 5, 'z': 1, 'Z': 1,
}

// segments returns the number of segments of path data, or a few more.
func segments(d string) int {
	count, found, per := 0, 0, 0
	flush := func() {
		if per > 0 {
			count += max(1, (found+per-1)/per)
		}
		found = 0
	}
	for i := 0; i < len(d); {
		if end := number(d, i); end > i {
			found++
			i = end
			continue
		}
		if n := arguments[d[i]]; n > 0 {
			flush()
			per = n
		}
		i++
	}
	flush()
	return count
}

// number returns the end of the number that begins at i; i if there is none.
func number(s string, i int) int {
	start := i
	if i < len(s) && (s[i] == '+' || s[i] == '-') {
		i++
	}
	digits := 0
	for ; i < len(s) && isDigit(s[i]); i++ {
		digits++
	}
	if i < len(s) && s[i] == '.' {
		for i++; i < len(s) && isDigit(s[i]); i++ {
			digits++
		}
	}
	if digits == 0 {
		return start
	}
	if i+1 < len(s) && (s[i] == 'e' || s[i] == 'E') {
		j := i + 1
		if s[j] == '+' || s[j] == '-' {
			j++
		}
		if j < len(s) && isDigit(s[j]) {
			for i = j; i < len(s) && isDigit(s[i]); i++ {
				continue
			}
		}
	}
	return i
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// numbers returns the first most numbers of a list.
func numbers(s string, most int) (list []float64) {
	for i := 0; i < len(s) && len(list) < most; {
		end := number(s, i)
		if end == i {
			i++
			continue
		}
		n, err := strconv.ParseFloat(s[i:end], 64)
		if err != nil {
			return nil
		}
		list = append(list, n)
		i = end
	}
	return list
}

// countNumbers returns the number of entries of a list.
func countNumbers(s string) (count int) {
	for i := 0; i < len(s); {
		if end := number(s, i); end > i {
			count++
			i = end
		} else {
			i++
		}
	}
	return count
}

// hasHuge reports whether a value contains a number beyond [smallNumber]. Digits of a color don't count.
func hasHuge(s string) bool {
	for i := 0; i < len(s); {
		if s[i] == '#' {
			for i++; i < len(s) && (isDigit(s[i]) || s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z'); i++ {
				continue
			}
			continue
		}
		end := number(s, i)
		if end == i {
			i++
			continue
		}
		if n, err := strconv.ParseFloat(s[i:end], 64); err != nil || n > smallNumber || n < -smallNumber {
			return true
		}
		i = end
	}
	return false
}
