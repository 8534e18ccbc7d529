package raster

import "encoding/binary"

// A lane word has the four channels of a pixel, or four sums of them, in 16 bits each: one multiplication weights all
// of them. The sum of the weights is at most 256, so that no lane reaches the next one.

// laneMask has the low byte of each lane.
const laneMask = 0x00ff00ff00ff00ff

// laneHalf is 128 in each lane, which rounds a shift by 8.
const laneHalf = 0x0080008000800080

// lanes returns the four bytes of a pixel as lanes.
func lanes(pix []uint8) uint64 {
	v := uint64(binary.LittleEndian.Uint32(pix))
	v = (v | v<<16) & 0x0000ffff0000ffff
	return (v | v<<8) & laneMask
}

// putLanes stores the low bytes of lanes as a pixel.
func putLanes(pix []uint8, v uint64) {
	v = (v | v>>8) & 0x0000ffff0000ffff
	binary.LittleEndian.PutUint32(pix, uint32(v|v>>16))
}

// mulLanes is mul for the low bytes of lanes.
func mulLanes(v, share uint64) uint64 {
	t := v*share + laneHalf
	return (t + t>>8&laneMask) >> 8 & laneMask
}
