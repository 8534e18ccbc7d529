package images

import "context"

// read finds out what there is to draw.
func (s *Service) read(ctx context.Context, j *job) error {
	r := j.request.Request
	r.Own.Owner, r.Own.Fresh = j.caller.UserID, j.request.Force
	if j.public != nil && !j.late {
		r.Own.PhotoTime = s.cfg.publicPhotoTime()
	}
	site, err := s.maker.Read(ctx, r)
	if err != nil {
		return err
	}
	if j.public != nil && j.public.left(&site) {
		return errLeft
	}
	j.composed = r.Compose(&site)
	return nil
}
