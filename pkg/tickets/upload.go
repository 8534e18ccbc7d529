package tickets

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"regexp"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/pkg/picture"
)

// MaxUpload is the maximum size of an uploaded logo in bytes.
const MaxUpload = 2 << 20

// uploadPatience is how long an SVG waits for its engine.
const uploadPatience = 2 * time.Second

// upload is a logo that the visitor uploaded: its pixels, in the size that cards need, and the same as a file.
type upload struct {
	key   string
	image *image.NRGBA
	file  []byte
}

// keyForm is the form of an upload's key: the beginning of its digest.
var keyForm = regexp.MustCompile(`^[0-9a-f]{16}$`)

func keyOf(file []byte) string {
	sum := sha256.Sum256(file)
	return hex.EncodeToString(sum[:8])
}

// uploaded reports whether the choices have the logo that the visitor uploaded.
func (t *Ticket) uploaded(c Choices) bool {
	return c.Logo != "" && t.upload != nil && t.upload.key == c.Logo
}

// Upload returns the file of the logo that the visitor uploaded and chose, a PNG, or nil.
func (t *Ticket) Upload(c Choices) []byte {
	if !t.uploaded(c) {
		return nil
	}
	return t.upload.file
}

// restoreUpload reads the uploaded logo from the pictures of a ticket.
func (t *Ticket) restoreUpload(files map[string][]byte) error {
	file := files[uploadName]
	if file == nil {
		t.upload = nil
		return nil
	}
	img, err := decode(file)
	if err != nil {
		return fmt.Errorf("picture %s: %w", uploadName, err)
	}
	t.upload = &upload{keyOf(file), img, file}
	return nil
}

// PutLogo keeps an uploaded file as the logo of a ticket, in place of an earlier one, for as long as the ticket. It
// returns its key for [Choices]. It counts like a proof.
//
// It returns NOT_FOUND for an expired ticket, UNSUPPORTED_MEDIA_TYPE for a file that is no picture, BAD_REQUEST for one
// that can't be used, and UNAVAILABLE if it can't be decoded now.
func (s *Service) PutLogo(ctx context.Context, caller identity.Caller, t *Ticket, file []byte) (key string, err error) {
	if err := s.count(ctx, caller, t); err != nil {
		return "", err
	}
	img, _, err := s.decoder.Decode(ctx, file, picture.Want{MaxBytes: MaxUpload, Patience: uploadPatience})
	if err != nil {
		return "", picture.Refusal(err)
	}
	stored, err := encodePicture(card.FitLogo(img), false)
	if err != nil {
		return "", fmt.Errorf("encode an uploaded logo: %w", err)
	}
	if err := s.store.putPicture(ctx, t.ID, uploadName, stored); err != nil {
		if db.IsForeignKey(err) {
			return "", errNoTicket()
		}
		return "", err
	}
	_, err = s.reload(ctx, t)
	return keyOf(stored), err
}

// WithLogo returns the ticket with the logo that the choices have: another node may have got it.
func (s *Service) WithLogo(ctx context.Context, t *Ticket, c Choices) (*Ticket, error) {
	if c.Logo == "" || t.uploaded(c) || t.State == Reading {
		return t, nil
	}
	return s.reload(ctx, t)
}

// reload reads the uploaded logo of a ticket again.
func (s *Service) reload(ctx context.Context, t *Ticket) (*Ticket, error) {
	file, err := s.store.picture(ctx, t.ID, uploadName)
	if err != nil {
		return nil, err
	}
	fresh := *t
	if err := fresh.restoreUpload(map[string][]byte{uploadName: file}); err != nil {
		return nil, err
	}
	s.read.Put(t.ID, &fresh)
	return &fresh, nil
}
