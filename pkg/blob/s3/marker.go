package s3

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"

	"github.com/minio/minio-go/v7"

	"masthead/pkg/blob"
)

// maxMarker is the largest marker that is read, in bytes.
const maxMarker = 1 << 10

// Marker is an object in a bucket that says which installation its pictures belong to.
type Marker struct {
	store *Store
	name  string
}

// Marker returns the marker of s with a name, such as installation-id.
func (s *Store) Marker(name string) Marker { return Marker{s, name} }

// Read returns the text in the marker, or "" if there is none.
func (m Marker) Read(ctx context.Context) (text string, err error) {
	err = m.store.call(ctx, "get", readTime, func(ctx context.Context) error {
		body, _, _, err := m.store.core.GetObject(ctx, m.store.bucket, m.name, minio.GetObjectOptions{})
		if err != nil {
			return err
		}
		data, err := io.ReadAll(io.LimitReader(body, maxMarker))
		text = strings.TrimSpace(string(data))
		return errors.Join(err, body.Close())
	})
	if errors.Is(err, blob.ErrNotFound) {
		return "", nil
	}
	return text, err
}

// Write writes the marker.
func (m Marker) Write(ctx context.Context, text string) error {
	return m.store.call(ctx, "put", writeTime, func(ctx context.Context) error {
		data := []byte(text + "\n")
		_, err := m.store.core.Client.PutObject(ctx, m.store.bucket, m.name, bytes.NewReader(data), int64(len(data)),
			minio.PutObjectOptions{ContentType: "text/plain", DisableMultipart: true})
		return err
	})
}

// Name returns where the marker is, for messages.
func (m Marker) Name() string { return "the bucket " + m.store.bucket }

// Marker returns the name of the object, for messages.
func (m Marker) Marker() string { return "the object " + m.name + " in the bucket " + m.store.bucket }

// Setting names the variable that chooses the bucket.
func (Marker) Setting() string { return "MASTHEAD_S3_BUCKET" }
