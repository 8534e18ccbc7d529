package images

import "context"

// background decides what stands behind the text. Where no provider of AI pictures is configured, that is the
// template's own ground.
func (s *Service) background(_ context.Context, j *job) error {
	if asked := j.request.AI; asked != nil {
		j.ai = &AIResult{Model: asked.Model, FellBack: true, FallbackReason: "off"}
	}
	return nil
}
