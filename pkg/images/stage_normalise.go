package images

import "context"

// normalise brings the request to its one spelling and gives it the key that the image is kept under.
func (s *Service) normalise(_ context.Context, j *job) (err error) {
	if j.request, err = j.request.normalize(); err != nil {
		return err
	}
	j.key, err = j.request.key()
	return err
}
