package projects

import (
	"context"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/weburl"
)

var errNoPublicID = apperr.New(apperr.NotFound, "There is no project or image with this public id.")

// Public returns the project with a public ID, cached for at most 2 s, or indefinitely while the database is
// unavailable. It returns NotFound if there is none. If the project has changed since it was cached, Public announces
// [events.ProjectStale].
func (s *Service) Public(ctx context.Context, publicID string) (Project, error) {
	if len(publicID) != PublicIDLength || strings.Trim(publicID, base62.Alphabet) != "" {
		return Project{}, errNoPublicID // also keeps invalid text from the database
	}
	return s.public.find(ctx, publicID, s.now, s.loadPublic(publicID))
}

// Refresh reloads a project in the background if its cached copy is older than 2 s, and returns immediately. If the
// project has changed, it announces [events.ProjectStale].
func (s *Service) Refresh(publicID string) {
	known, remembers := s.public.kept.Peek(publicID)
	switch {
	case !remembers: // evicted from the cache, so it may have changed
		s.stale(publicID)
	case s.now().Sub(known.at).Abs() >= fresh:
		s.public.load(context.Background(), publicID, s.now, s.loadPublic(publicID))
	}
}

// loadPublic returns a function that loads a project by its public ID and calls Changed if it has changed.
func (s *Service) loadPublic(publicID string) func(context.Context) (Project, error) {
	return func(ctx context.Context) (Project, error) {
		known, remembers := s.public.kept.Peek(publicID)
		p, err := s.store.byPublicID(ctx, publicID)
		if remembers && (apperr.CodeOf(err) == apperr.NotFound ||
			err == nil && !p.UpdatedAt.Equal(known.project.UpdatedAt)) {
			s.stale(publicID)
		}
		return p, err
	}
}

// Forget removes a project that another node changed or deleted from the cache, and announces [events.ProjectStale].
func (s *Service) Forget(publicID string) {
	s.public.changed(publicID)
	s.stale(publicID)
}

// StopPublicAI turns off AI pictures for anonymous callers, since the provider rejected too many of their prompts, and
// reports whether they were on. The owner can turn them on again.
func (s *Service) StopPublicAI(ctx context.Context, p Project) (stopped bool, err error) {
	changed := s.publishing(ctx, events.ProjectChanged)
	return s.store.stopPublicAI(ctx, p.ID, s.now(), func(tx *db.Tx, after Project) error {
		err := events.AIDisabled.Publish(ctx, tx, s.events, after.OwnerID, events.AI{
			ProjectId: after.ID, PublicId: after.PublicID, Name: after.Name, Reason: events.AIPolicy,
		})
		if err != nil {
			return err
		}
		return changed(tx, after)
	})
}

func (s *Service) stale(publicID string) {
	events.ProjectStale.Noticed(s.events, "", events.Project{PublicId: publicID})
}

// Covers reports whether host is one of the project's domains or a subdomain of one.
func (p Project) Covers(host weburl.Host) bool {
	for _, text := range p.Domains {
		if domain, err := weburl.ParseHost(text); err == nil && host.Within(domain) {
			return true
		}
	}
	return false
}
