package paint

import "testing"

// BenchmarkLookAt looks at a photograph as large as pages have it, which is cached afterward.
func BenchmarkLookAt(b *testing.B) {
	img := portrait(1536, 1024, .4, .3)
	for b.Loop() {
		lookAt(img)
	}
}
