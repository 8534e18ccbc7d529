package images

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"masthead/pkg/card"
	"masthead/render"
	"masthead/render/icon"
)

// draw draws the picture as soon as a worker is free. An AI picture that no readable card can be made over is left out.
func (s *Service) draw(ctx context.Context, j *job) error {
	err := s.drawOnce(ctx, j)
	if errors.Is(err, render.ErrUnreadable) {
		slog.WarnContext(ctx, "no readable card over the AI picture", "template", j.request.Template, "model", j.ai.Model)
		j.fallBack(ctx, reasonProvider)
		err = s.drawOnce(ctx, j)
	}
	if err != nil {
		return fmt.Errorf("draw %s: %w", cmp.Or(j.request.Template, string(j.request.Kind)), err)
	}
	return nil
}

func (s *Service) drawOnce(ctx context.Context, j *job) error {
	if j.request.Kind == card.IconSet {
		set, err := drawn(ctx, s, j.key, j.icons, icon.Draw)
		if err == nil {
			j.takeIcons(set)
		}
		return err
	}
	p, err := drawn(ctx, s, j.key, j.toDraw, render.Draw)
	j.drawn = []drawnFile{{fileName(j.request.Kind, p.Ext), p}}
	return err
}

// drawn has a worker draw request, of which it has a copy: a drawing that is given up goes on.
func drawn[R, T any](
	ctx context.Context, s *Service, key string, request R, draw func(context.Context, R) (T, error),
) (T, error) {
	return inWorker(ctx, s.workers, key, func(ctx context.Context) (T, error) {
		began := time.Now()
		defer s.metrics.rendered(began)
		return draw(ctx, request)
	})
}

// refuseHung refuses the job when drawing the same did not finish lately, on any node.
func (s *Service) refuseHung(ctx context.Context, j *job) error {
	return s.workers.drawing.Check(ctx, j.key)
}

// iconWarning is the code of warnings about the icons of an icon set.
const iconWarning = "ICON"

// lacking returns what the picture of a job does without: what the renderer says, a logo that could not be had, and
// what icons could not be used.
func (j *job) lacking() (all []render.Warning) {
	for _, sentence := range j.warnings {
		all = append(all, render.Warning{Code: iconWarning, Detail: sentence})
	}
	if j.request.Style.Logo != nil && j.toDraw.Logo == nil {
		all = append(all, render.Warning{
			Code: render.LogoMissing, Detail: "The logo could not be had, and the picture is drawn without it.",
		})
	}
	for _, d := range j.drawn {
		all = append(all, d.Warnings...)
	}
	return all
}
