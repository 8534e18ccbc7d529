package images

import "context"

// read finds out what there is to draw: it fetches the page with its icon and the logo.
func (s *Service) read(ctx context.Context, j *job) error {
	return s.fetches.run(ctx, func() (err error) {
		j.drawing, j.page, err = s.reader.read(ctx, j.request)
		return err
	})
}
