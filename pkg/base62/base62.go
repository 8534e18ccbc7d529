// Package base62 generates random strings of letters and digits, for public IDs and secrets that need no escaping in
// URLs and headers.
package base62

import "crypto/rand"

// Alphabet lists the 62 digits in ascending order of value.
const Alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Random returns n uniformly distributed random digits, with 5.95 bits of entropy each.
func Random(n int) string {
	const fair = 256 / len(Alphabet) * len(Alphabet) // bytes from here on would bias the first digits
	text := make([]byte, 0, n)
	raw := make([]byte, n+n/2)
	for len(text) < n {
		_, _ = rand.Read(raw) // never fails: crypto/rand crashes the process if the system has no randomness
		for _, b := range raw {
			if int(b) < fair && len(text) < n {
				text = append(text, Alphabet[int(b)%len(Alphabet)])
			}
		}
	}
	return string(text)
}
