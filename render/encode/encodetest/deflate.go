package encodetest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
)

// Token is a literal, or a match.
type Token struct {
	Length, Dist int // 0 for a literal
	Literal      byte
}

// stream reads deflate, whose bits begin with the lowest of each byte.
type stream struct {
	data []byte
	at   int // in bits
}

func (s *stream) bits(n int) (v int, err error) {
	for i := range n {
		if s.at >= 8*len(s.data) {
			return 0, errors.New("the stream ends early")
		}
		v |= int(s.data[s.at/8]) >> (s.at % 8) % 2 << i
		s.at++
	}
	return v, nil
}

// symbol reads the code of a symbol.
func (s *stream) symbol(c *codes) (int, error) {
	v := 0
	for n := 1; n <= 15; n++ {
		b, err := s.bits(1)
		if err != nil {
			return 0, err
		}
		v = 2*v + b
		if i := v - c.first[n]; i >= 0 && i < c.count[n] {
			return c.values[n][i], nil
		}
	}
	return 0, errors.New("no code begins so")
}

// codesOf returns the codes that have these lengths, by symbol: all that there are, or a lone one of one bit, or none.
// Source: RFC 1951, 3.2.2 and 3.2.7.
func codesOf(lengths []int) (*codes, error) {
	c := &codes{}
	for symbol, n := range lengths {
		if n > 0 {
			c.count[n]++
			c.values[n] = append(c.values[n], symbol)
		}
	}
	all, space := 0, 0
	for n := 1; n <= 15; n++ {
		c.first[n] = 2 * (c.first[n-1] + c.count[n-1])
		all, space = all+c.count[n], space+c.count[n]<<(15-n)
	}
	if space != 1<<15 && all > 1 || all == 1 && c.count[1] != 1 {
		return nil, fmt.Errorf("%d codes take %d of %d", all, space, 1<<15)
	}
	return c, nil
}

// Inflate reads a zlib stream of blocks with codes of their own, or with none, and returns its bytes and tokens. It
// fails for what another reader might let pass: codes that are not complete, matches that reach back too far, bytes
// after the end.
func Inflate(data []byte) (raw []byte, tokens []Token, err error) {
	if len(data) < 6 || data[0]&15 != 8 || data[0]>>4 > 7 || data[1]&32 != 0 || binary.BigEndian.Uint16(data)%31 != 0 {
		return nil, nil, errors.New("no zlib stream")
	}
	s := &stream{data: data[2 : len(data)-4]}
	for final := 0; final == 0; {
		var kind int
		if final, err = s.bits(1); err == nil {
			kind, err = s.bits(2)
		}
		if err == nil && kind == 0 {
			raw, tokens, err = s.stored(raw, tokens)
		} else if err == nil && kind != 2 {
			err = fmt.Errorf("a block of kind %d", kind)
		}
		if err != nil {
			return nil, nil, err
		}
		if kind == 0 {
			continue
		}
		lits, dists, err := s.codes()
		if err != nil {
			return nil, nil, err
		}
		for {
			token, end, err := s.token(lits, dists)
			if err != nil {
				return nil, nil, fmt.Errorf("token %d: %w", len(tokens), err)
			}
			if end {
				break
			}
			tokens = append(tokens, token)
			if token.Length == 0 {
				raw = append(raw, token.Literal)
				continue
			}
			if token.Dist > len(raw) || token.Dist > 32768 {
				return nil, nil, fmt.Errorf("token %d reaches back %d of %d bytes", len(tokens), token.Dist, len(raw))
			}
			for range token.Length {
				raw = append(raw, raw[len(raw)-token.Dist])
			}
		}
	}
	if left, _ := s.bits(8*len(s.data) - s.at); left != 0 || (s.at+7)/8 != len(s.data) {
		return nil, nil, errors.New("something follows the last block")
	}
	if sum := binary.BigEndian.Uint32(data[len(data)-4:]); sum != adler32.Checksum(raw) {
		return nil, nil, fmt.Errorf("the checksum is %08x, want %08x", sum, adler32.Checksum(raw))
	}
	return raw, tokens, nil
}

// stored reads a block without codes. Source: RFC 1951, 3.2.4.
func (s *stream) stored(raw []byte, tokens []Token) ([]byte, []Token, error) {
	filling, _ := s.bits((8 - s.at%8) % 8)
	n, err := s.bits(16)
	if err != nil {
		return nil, nil, err
	}
	if m, err := s.bits(16); err != nil || filling != 0 || n^m != 0xffff {
		return nil, nil, errors.New("no length of a stored block")
	}
	for range n {
		b, err := s.bits(8)
		if err != nil {
			return nil, nil, err
		}
		raw, tokens = append(raw, byte(b)), append(tokens, Token{Literal: byte(b)})
	}
	return raw, tokens, nil
}

// codes reads the lengths of the codes of a block. Source: RFC 1951, 3.2.7.
func (s *stream) codes() (lits, dists *codes, err error) {
	var head [3]int
	for i, n := range [3]int{5, 5, 4} {
		if head[i], err = s.bits(n); err != nil {
			return nil, nil, err
		}
	}
	nl, nd := head[0]+257, head[1]+1
	if nl > 286 || nd > 30 {
		return nil, nil, fmt.Errorf("%d codes of lengths, %d of distances", nl, nd)
	}
	var lengths [19]int
	for i := range head[2] + 4 {
		symbol := [19]int{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}[i]
		if lengths[symbol], err = s.bits(3); err != nil {
			return nil, nil, err
		}
	}
	c, err := codesOf(lengths[:])
	if err != nil {
		return nil, nil, fmt.Errorf("lengths: %w", err)
	}
	var all []int
	for len(all) < nl+nd {
		symbol, err := s.symbol(c)
		if err != nil {
			return nil, nil, err
		}
		value, times, more := symbol, 1, 0
		switch symbol {
		case 16:
			if len(all) == 0 {
				return nil, nil, errors.New("nothing is repeated")
			}
			value, times, more = all[len(all)-1], 3, 2
		case 17:
			value, times, more = 0, 3, 3
		case 18:
			value, times, more = 0, 11, 7
		}
		n, err := s.bits(more)
		if err != nil {
			return nil, nil, err
		}
		for range times + n {
			all = append(all, value)
		}
	}
	if len(all) > nl+nd || all[256] == 0 {
		return nil, nil, errors.New("too many lengths, or none of the end")
	}
	if lits, err = codesOf(all[:nl]); err == nil {
		dists, err = codesOf(all[nl:])
	}
	return lits, dists, err
}

// token reads a literal or a match, or the end of a block. Source: RFC 1951, 3.2.5.
func (s *stream) token(lits, dists *codes) (token Token, end bool, err error) {
	symbol, err := s.symbol(lits)
	if err != nil || symbol <= 256 {
		return Token{Literal: byte(symbol)}, symbol == 256, err
	}
	token.Length = 258
	if symbol < 285 {
		c := symbol - 257
		extra := max(c/4-1, 0)
		more, err := s.bits(extra)
		if err != nil {
			return token, false, err
		}
		token.Length = 3 + c + more
		if c >= 8 {
			token.Length = 3 + (4+c%4)<<extra + more
		}
		if token.Length > 257 {
			return token, false, errors.New("258 has a code of its own")
		}
	}
	c, err := s.symbol(dists)
	if err != nil {
		return token, false, err
	}
	extra := max(c/2-1, 0)
	more, err := s.bits(extra)
	token.Dist = 1 + c + more
	if c >= 4 {
		token.Dist = 1 + (2+c%2)<<extra + more
	}
	return token, false, err
}

// CutShort returns the number of a match that might be longer, or -1: ours always are as long as they may be.
func CutShort(raw []byte, tokens []Token) int { return cutShort(raw, tokens, 1, len(raw)+1) }

// cutShort is CutShort for matches of whole pixels, which end with their row and with the row that they repeat.
func cutShort(raw []byte, tokens []Token, pixel, row int) int {
	at := 0
	for i, token := range tokens {
		if token.Length == 0 {
			at++
			continue
		}
		at += token.Length
		from := at - token.Dist
		if pixel > 1 && (at%row == 0 || from%row == 0) {
			continue
		}
		if token.Length+pixel <= 258 && at+pixel <= len(raw) && bytes.Equal(raw[at:at+pixel], raw[from:from+pixel]) {
			return i
		}
	}
	return -1
}
