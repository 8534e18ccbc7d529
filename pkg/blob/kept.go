package blob

import "os"

// Kept is a picture that is ready to be sent.
type Kept struct {
	// ETag and ContentType are the values of those headers, CacheControl of that one.
	ETag, ContentType, CacheControl []string
	// Bytes are the picture, not to be changed, or File is, to be closed; neither when NotModified says that the client
	// has it already.
	Bytes       []byte
	File        *os.File
	Size        int64 // in bytes
	NotModified bool
	// ProjectID and OwnerID are the project and the account whose image it is, and ImageKind what the image is for; empty
	// for a file.
	ProjectID, OwnerID, ImageKind string
}

// Close closes the file, if there is one.
func (k Kept) Close() {
	if k.File != nil {
		_ = k.File.Close() // it was only read
	}
}
