package images

import "context"

// read finds out what there is to draw.
func (s *Service) read(ctx context.Context, j *job) error {
	r := j.request.Request
	r.Own.Owner, r.Own.Fresh = j.caller.UserID, j.request.Force
	if j.public != nil && !j.late {
		r.Own.PhotoTime = s.cfg.publicPhotoTime()
	}
	if err := s.readAsset(ctx, j, &r.Own.Logo); err != nil {
		return err
	}
	var err error
	if s.designs != nil {
		if r.Own.Fonts, err = s.designs.LoadFonts(ctx, j.request.ProjectID, r.Style.Fonts); err != nil {
			return err
		}
	}
	if r.Design != nil {
		projectID := j.request.ProjectID
		r.Own.SVG = s.designs.DrawSVG
		r.Own.Asset = func(ctx context.Context, address string) ([]byte, error) {
			return s.designs.Asset(ctx, projectID, address)
		}
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

// readAsset reads the logo of a job if it is an asset: from the store, without a request.
func (s *Service) readAsset(ctx context.Context, j *job, into *[]byte) (err error) {
	if n, ok := s.uploads.Named(j.request.LogoURL().String()); ok {
		*into, err = s.uploads.Read(ctx, j.request.ProjectID, n)
	}
	return err
}
