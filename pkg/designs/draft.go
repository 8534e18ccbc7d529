package designs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/identity"
	"masthead/render/design"
)

// Draft is what an account has changed of a design and not published.
type Draft struct {
	DesignID string
	HTML     string
	// URL is the page whose facts it is looked at with, or "".
	URL string
	// BaseVersion is the version that it is a change of. Revision grows with each change.
	BaseVersion, Revision int
	SavedAt               time.Time
}

// NewDraft is a draft to save.
type NewDraft struct {
	HTML, URL   string
	BaseVersion int
	// Window is who saves it. Revision is the one that it has loaded, 0 for none, and nil to replace any.
	Window   string
	Revision *int
}

// Draft returns the caller's draft of a design, or NOT_FOUND.
func (s *Service) Draft(ctx context.Context, caller identity.Caller, id string) (Draft, error) {
	if _, err := s.store.get(ctx, caller, id, 0); err != nil {
		return Draft{}, err
	}
	return s.store.draft(ctx, caller.UserID, id)
}

// SaveDraft saves the caller's draft of a design. It returns CONFLICT if another window has saved a later revision than
// n.Revision.
func (s *Service) SaveDraft(ctx context.Context, caller identity.Caller, id string, n NewDraft) (Draft, error) {
	if len(n.HTML) > design.MaxBytes {
		return Draft{}, apperr.Invalid("/html", fmt.Sprintf("The document has %d bytes, and at most %d KB are allowed.",
			len(n.HTML), design.MaxBytes>>10))
	}
	for _, text := range []*string{&n.HTML, &n.URL, &n.Window} {
		*text = strings.ReplaceAll(*text, "\x00", "\uFFFD") // which Postgres doesn't store
	}
	if _, err := s.store.get(ctx, caller, id, 0); err != nil {
		return Draft{}, err
	}
	return s.store.saveDraft(ctx, caller.UserID, id, n, db.Moment(s.now()))
}

// DiscardDraft deletes the caller's draft of a design, if there is one.
func (s *Service) DiscardDraft(ctx context.Context, caller identity.Caller, id string) error {
	if _, err := s.store.get(ctx, caller, id, 0); err != nil {
		return err
	}
	_, err := s.store.db.Exec(ctx, `DELETE FROM design_drafts WHERE design_id = ? AND user_id = ?`, id, caller.UserID)
	if err != nil {
		return fmt.Errorf("discard the draft of design %s: %w", id, err)
	}
	return nil
}

type draftRow struct {
	DesignID    string    `db:"design_id"`
	Source      string    `db:"source"`
	URL         string    `db:"url"`
	BaseVersion int       `db:"base_version"`
	Revision    int       `db:"revision"`
	SavedAt     db.Millis `db:"saved_at"`
}

func (s store) draft(ctx context.Context, userID, id string) (Draft, error) {
	var r draftRow
	err := s.db.Get(ctx, &r, `SELECT design_id, source, url, base_version, revision, saved_at FROM design_drafts
		WHERE design_id = ? AND user_id = ?`, id, userID)
	return Draft{
		DesignID: r.DesignID, HTML: r.Source, URL: r.URL, BaseVersion: r.BaseVersion, Revision: r.Revision,
		SavedAt: r.SavedAt.Time,
	}, db.Missing(err, "There is no draft of this design.", "find the draft of design "+id)
}

// saveDraft stores a draft. One statement decides whether it may, so that windows can't overtake one another.
func (s store) saveDraft(ctx context.Context, userID, id string, n NewDraft, now time.Time) (Draft, error) {
	known := -1
	if n.Revision != nil {
		known = *n.Revision
	}
	rows, err := s.db.Exec(ctx, `INSERT INTO design_drafts
		(design_id, user_id, source, url, base_version, revision, window_id, saved_at) VALUES (?, ?, ?, ?, ?, 1, ?, ?)
		ON CONFLICT (design_id, user_id) DO UPDATE SET source = excluded.source, url = excluded.url,
			base_version = excluded.base_version, revision = design_drafts.revision + 1, window_id = excluded.window_id,
			saved_at = excluded.saved_at
		WHERE CAST(? AS BIGINT) < 0 OR design_drafts.revision = CAST(? AS BIGINT)
			OR design_drafts.window_id = excluded.window_id`,
		id, userID, n.HTML, n.URL, n.BaseVersion, n.Window, db.Millis{Time: now}, known, known)
	switch {
	case db.IsForeignKey(err):
		return Draft{}, apperr.Wrap(apperr.NotFound, noDesign, err)
	case err != nil:
		return Draft{}, fmt.Errorf("save the draft of design %s: %w", id, err)
	case rows == 0:
		return Draft{}, apperr.New(apperr.Conflict, "Another window has saved this draft meanwhile. Load it, and make "+
			"your change there.")
	}
	return s.draft(ctx, userID, id)
}
