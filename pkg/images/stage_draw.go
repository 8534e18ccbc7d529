package images

import (
	"context"
	"fmt"

	"masthead/render"
)

// draw draws the picture as soon as a worker is free.
func (s *Service) draw(ctx context.Context, j *job) error {
	err := s.workers.run(ctx, func() error {
		p, err := render.Draw(ctx, j.toDraw)
		j.drawn = []drawnFile{{fileName(j.request.Kind, p.Ext), p}}
		return err
	})
	if err != nil {
		return fmt.Errorf("draw %s: %w", j.request.Template, err)
	}
	return nil
}
