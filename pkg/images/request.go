package images

import (
	"context"

	"masthead/pkg/apperr"
	"masthead/pkg/card"
)

// Request asks for a picture for a project.
type Request struct {
	card.Request

	ProjectID string
	// Force draws anew and replaces what is kept; CreateOnly fails when something is kept.
	Force, CreateOnly bool
	// Patient lets drawings of others come first, for up to 5 s.
	Patient bool

	// brandVersion is that of the project when its brand was read, or -1 if what the brand filled in may be of another.
	brandVersion int64
}

// normalize is [card.Request.Normalize].
func (r Request) normalize() (_ Request, err error) {
	if r.CreateOnly && r.Force {
		return r, apperr.Invalid("header.If-None-Match",
			"If-None-Match: * asks to create only, and force to replace. Send only one of them.")
	}
	r.Request, err = r.Request.Normalize()
	return r, err
}

// key is what the picture is kept under.
func (r Request) key() (string, error) { return r.Request.Key(r.ProjectID) }

// normalise brings the request of a job to its one spelling and gives it the key that the image is kept under.
func (s *Service) normalise(_ context.Context, j *job) (err error) {
	if j.request, err = j.request.normalize(); err != nil {
		return err
	}
	j.key, err = j.request.key()
	return err
}
