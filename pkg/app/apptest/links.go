package apptest

import (
	"net/http"
	"regexp"
	"strings"
	"sync"
)

// linkLog keeps of the log the lines with links in them, by the account that each is for: that is how they get to
// people where no email is sent.
type linkLog struct {
	mu   sync.Mutex
	last map[string]string
}

var (
	links     linkLog
	linkParts = regexp.MustCompile(`user_id=(\S+) .*link="?([^"\s]+)`)
)

// Write implements io.Writer for a handler, which writes a line at a time.
func (l *linkLog) Write(line []byte) (int, error) {
	if m := linkParts.FindSubmatch(line); m != nil {
		l.mu.Lock()
		defer l.mu.Unlock()
		if l.last == nil {
			l.last = map[string]string{}
		}
		l.last[string(m[1])] = string(m[2])
	}
	return len(line), nil
}

// ID is the id of the account of a session.
func (s *Service) ID(session Session) string {
	s.t.Helper()
	return s.Get("/users/me", Bearer(session.Access)).Want(http.StatusOK).Text("id")
}

// ResetLink has a link for a new password made, and returns it.
func (s *Service) ResetLink(session Session) string {
	s.t.Helper()
	return s.ResetLinkOf(s.ID(session), session.Email)
}

// ResetLinkOf is [Service.ResetLink] for an account that nobody is signed in to; "" when no link was made.
func (s *Service) ResetLinkOf(id, email string) string {
	s.t.Helper()
	s.Post("/auth/password/forgot", map[string]any{"email": email}).Want(http.StatusAccepted)
	links.mu.Lock()
	defer links.mu.Unlock()
	link := links.last[id]
	delete(links.last, id)
	return link
}

// ResetToken is the token of a [Service.ResetLink].
func (s *Service) ResetToken(session Session) string {
	s.t.Helper()
	_, token, _ := strings.Cut(s.ResetLink(session), "#token=")
	return token
}
