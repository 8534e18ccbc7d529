// Package encode turns drawn pictures into the bytes that are served: PNG where it is small, else JPEG.
//
//	pic, err := encode.Encode(canvas.Image(), encode.OG)
//	w.Header().Set("Content-Type", pic.ContentType)
//	w.Write(pic.Bytes)
//
// The same pixels and limits always give the same bytes. All calls are safe for concurrent use; compressors and buffers are pooled.
//
// The PNG writer is our own, for three reasons that were measured: drawn pictures compress best with no row filter at all (a gradient's rows
// repeat one another with a shift, which a filter hides); klauspost/compress at level 1 takes a fifth of the time of compress/flate; and alpha is
// never needed. Indexed pictures stay indexed.
package encode
