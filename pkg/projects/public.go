package projects

import (
	"context"
	"strings"

	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/weburl"
)

var errNoPublicID = apperr.New(apperr.NotFound, "There is no project or image with this public id.")

// Public returns the project that meta tags name, as it was at most 2 s ago; while the database is away, as it was last
// seen. NotFound when there is none. That it is another one than before is told (see Changed).
func (s *Service) Public(ctx context.Context, publicID string) (Project, error) {
	if len(publicID) != PublicIDLength || strings.Trim(publicID, base62.Alphabet) != "" {
		return Project{}, errNoPublicID // and nothing that a database could not even compare
	}
	return s.public.find(ctx, publicID, s.now, s.loadPublic(publicID))
}

// Refresh reads a project again in the background when it was last read more than 2 s ago, and returns at once. That it
// is another one than before is told (see Changed).
func (s *Service) Refresh(publicID string) {
	known, remembers := s.public.kept.Peek(publicID)
	switch {
	case !remembers: // what it was is no longer known, so it may have changed
		s.Changed(publicID)
	case s.now().Sub(known.at).Abs() >= fresh:
		s.public.load(db.InBackground(context.Background()), publicID, s.now, s.loadPublic(publicID))
	}
}

// loadPublic returns what reads a project by its public id, and tells that it is another one than before.
func (s *Service) loadPublic(publicID string) func(context.Context) (Project, error) {
	return func(ctx context.Context) (Project, error) {
		known, remembers := s.public.kept.Peek(publicID)
		p, err := s.store.byPublicID(ctx, publicID)
		if remembers && (apperr.CodeOf(err) == apperr.NotFound ||
			err == nil && !p.UpdatedAt.Equal(known.project.UpdatedAt)) {
			s.Changed(publicID)
		}
		return p, err
	}
}

// Forget drops what is remembered of a project, which was changed or deleted, and tells so (see Changed).
func (s *Service) Forget(publicID string) {
	s.public.changed(publicID)
	s.Changed(publicID)
}

// StopPublicAI ends AI pictures for strangers; false when they have ended before. The owner may begin them again.
func (s *Service) StopPublicAI(ctx context.Context, p Project) (stopped bool, err error) {
	stopped, err = s.store.stopPublicAI(ctx, p.ID, s.now())
	if stopped {
		s.changed(p)
	}
	return stopped, err
}

// Covers says whether pages of a host are the project's: the host is one of its domains, or under one.
func (p Project) Covers(host weburl.Host) bool {
	for _, text := range p.Domains {
		if domain, err := weburl.ParseHost(text); err == nil && host.Within(domain) {
			return true
		}
	}
	return false
}
