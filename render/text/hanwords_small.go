//go:build smallfonts

package text

// hanWords returns no words, since there is no face to set them in: see package fonts.
func hanWords(int) string { return "" }
