package blob

import "os"

// Response is a stored picture that is ready to be sent.
type Response struct {
	// Values of the headers ETag, Content-Type and Cache-Control.
	ETag, ContentType, CacheControl []string
	// Bytes is the content, which must not be modified, or File is the open file, which must be closed. Neither is
	// set if NotModified is: the client already has the picture.
	Bytes       []byte
	File        *os.File
	Size        int64 // in bytes
	NotModified bool
	// ProjectID, OwnerID and ImageKind are the project, the account and the kind of the image that the picture
	// belongs to. They are empty for a plain file.
	ProjectID, OwnerID, ImageKind string
}

// Close closes the file if there is one.
func (k Response) Close() {
	if k.File != nil {
		_ = k.File.Close() // it was opened for reading
	}
}
