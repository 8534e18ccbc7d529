// Package base62 owns random texts of letters and digits: public ids and secrets that stand in addresses and headers as
// they are.
package base62

import "crypto/rand"

// Alphabet holds the 62 digits in the order of their values.
const Alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

// Random returns n random digits, each equally likely: 5.95 bits a digit.
func Random(n int) string {
	const fair = 256 / len(Alphabet) * len(Alphabet) // bytes from here on would favour the first digits
	text := make([]byte, 0, n)
	raw := make([]byte, n+n/2)
	for len(text) < n {
		_, _ = rand.Read(raw) // never fails: it ends the process where the system has no randomness
		for _, b := range raw {
			if int(b) < fair && len(text) < n {
				text = append(text, Alphabet[int(b)%len(Alphabet)])
			}
		}
	}
	return string(text)
}
