package images

import (
	"context"
	"errors"
	"log/slog"

	"masthead/pkg/images/store"
	"masthead/render"
)

// draw draws the picture. An AI picture that no readable card can be made over is left out.
func (s *Service) draw(ctx context.Context, j *job) (err error) {
	j.drawn, err = s.maker.Draw(ctx, j.key, j.composed)
	if errors.Is(err, render.ErrUnreadable) {
		slog.WarnContext(ctx, "no readable card over the AI picture", "template", j.request.Template, "model", j.ai.Model)
		j.fallBack(ctx, store.ReasonProvider)
		j.drawn, err = s.maker.Draw(ctx, j.key, j.composed)
	}
	if err == nil && j.ai != nil {
		j.ai.Marked = j.drawn.Picture().Marked
	}
	return err
}

// refuseHung refuses the job when drawing the same did not finish lately, on any node.
func (s *Service) refuseHung(ctx context.Context, j *job) error {
	return s.workers.Drawing.Check(ctx, j.key)
}
