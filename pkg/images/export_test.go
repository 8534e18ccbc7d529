package images

import (
	"context"
	"time"

	"masthead/gen"
	"masthead/pkg/blob"
)

// KeyOfPage returns the key of the picture that GET /og makes for a project of a page, by the page's address alone.
func (s *Service) KeyOfPage(ctx context.Context, publicID, page string) (string, error) {
	project, err := s.projects.Public(ctx, publicID)
	if err != nil {
		return "", err
	}
	j := &job{request: Request{
		Request: publicRequest(gen.GetPublicImageParams{Url: &page}), ProjectID: project.ID,
	}}
	if j.request, err = s.withBrand(ctx, j.request, project); err != nil {
		return "", err
	}
	err = s.normalise(ctx, j)
	return j.key, err
}

// SetNow sets the clock.
func (s *Service) SetNow(now func() time.Time) { s.clock.Set(now) }

// ForgetUses lets the next use of each outdated picture be looked at, as if the last one were longer ago.
func (s *Service) ForgetUses() { s.redraws.ForgetAll() }

// RemakeLost does what the daily check of all files does when it finds one lost.
func (s *Service) RemakeLost(ctx context.Context, imageID string, n blob.Name) error {
	return s.remakeLost(ctx, imageID, n)
}
