package sites

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/audit/site"
	"masthead/pkg/db"
	"masthead/pkg/identity"
)

type store struct{ db *db.DB }

// row is an Audit as it is stored.
type row struct {
	ID         string                 `db:"id"`
	OwnerID    string                 `db:"owner_id"`
	URL        string                 `db:"url"`
	State      string                 `db:"state"`
	Error      string                 `db:"error"`
	Limit      int                    `db:"page_limit"`
	Listed     int                    `db:"listed"`
	Note       string                 `db:"note"`
	Report     *db.JSON[*site.Report] `db:"report"`
	CreatedAt  db.Millis              `db:"created_at"`
	FinishedAt db.Millis              `db:"finished_at"`
	Audited    int                    `db:"audited"`
	Unread     int                    `db:"unread"`
}

const columns = `id, owner_id, url, state, error, page_limit, listed, note, report, created_at, finished_at,
	(SELECT COUNT(*) FROM site_pages p WHERE p.site_id = sites.id) AS audited,
	(SELECT COUNT(*) FROM site_pages p WHERE p.site_id = sites.id AND p.unread) AS unread`

// scope is the condition of what a caller may see: the account's, and with a key of a project, that project's.
const scope = `owner_id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?)`

func inScope(c identity.Caller) []any { return []any{c.UserID, c.KeyProjectID, c.KeyProjectID} }

// noSite is the message for what doesn't exist or belongs to another account.
const noSite = "There is no audit of a site with this id."

func (r row) site() Audit {
	s := Audit{
		ID: r.ID, OwnerID: r.OwnerID, URL: r.URL, State: State(r.State), Error: r.Error, Limit: r.Limit, Listed: r.Listed,
		Read: r.Audited - r.Unread, Unread: r.Unread, Note: r.Note, CreatedAt: r.CreatedAt.Time,
		FinishedAt: r.FinishedAt.Time,
	}
	if r.Report != nil {
		s.Report = r.Report.V
	}
	return s
}

// insert stores an audit and what else belongs to it, and deletes the owner's oldest ones. Conflict while others aren't
// finished.
func (s store) insert(ctx context.Context, made Audit, also func(*db.Tx) error) error {
	busy := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, "sites of "+made.OwnerID); err != nil {
			return err
		}
		unfinished := 0
		err := tx.Get(ctx, &unfinished, `SELECT COUNT(*) FROM sites WHERE owner_id = ? AND finished_at IS NULL`, made.OwnerID)
		if busy = err == nil && unfinished >= maxUnfinished; err != nil || busy {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO sites (id, owner_id, project_id, url, state, page_limit, created_at)
			VALUES (?, ?, ?, ?, ?, ?, ?)`,
			made.ID, made.OwnerID, db.OrNull(made.ProjectID), made.URL, string(made.State), made.Limit,
			db.Millis{Time: made.CreatedAt})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM sites WHERE owner_id = ? AND finished_at IS NOT NULL AND id NOT IN (
			SELECT id FROM sites WHERE owner_id = ? ORDER BY id DESC LIMIT ?)`, made.OwnerID, made.OwnerID, MaxSites)
		if err != nil {
			return err
		}
		return also(tx)
	})
	if err != nil {
		return fmt.Errorf("store an audit of a site of account %s: %w", made.OwnerID, err)
	}
	if busy {
		return apperr.New(apperr.Conflict, fmt.Sprintf("%d audits of sites aren't finished. Wait for one.", maxUnfinished))
	}
	return nil
}

// get returns an audit that a caller may see.
func (s store) get(ctx context.Context, c identity.Caller, id string) (Audit, error) {
	var r row
	err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM sites WHERE `+scope+` AND id = ?`, append(inScope(c), id)...)
	return r.site(), db.Missing(err, noSite, "find the audit of a site "+id)
}

// find returns an audit of any account.
func (s store) find(ctx context.Context, id string) (found Audit, ok bool, err error) {
	var r row
	err = s.db.Get(ctx, &r, `SELECT `+columns+` FROM sites WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Audit{}, false, nil
	}
	if err != nil {
		return Audit{}, false, fmt.Errorf("find the audit of a site %s: %w", id, err)
	}
	return r.site(), true, nil
}

func (s store) list(ctx context.Context, c identity.Caller, before string, limit int) ([]Audit, error) {
	list, err := db.SelectAs(ctx, s.db, row.site, `SELECT `+columns+` FROM sites
		WHERE `+scope+` AND id < ? ORDER BY id DESC LIMIT ?`, append(inScope(c), before, limit)...)
	if err != nil {
		return nil, fmt.Errorf("list the audits of sites of account %s: %w", c.UserID, err)
	}
	return list, nil
}

// placedPage is a page with its place in the order.
type placedPage struct {
	Place string             `db:"place"`
	Page  db.JSON[site.Page] `db:"page"`
}

// pages returns the pages of an audit before a place, worst first.
func (s store) pages(ctx context.Context, id, before string, limit int) (pages []placedPage, err error) {
	err = s.db.Select(ctx, &pages, `SELECT place, page FROM site_pages
		WHERE site_id = ? AND place < ? ORDER BY place DESC LIMIT ?`, id, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the pages of the site %s: %w", id, err)
	}
	return pages, nil
}

// all returns all pages of an audit.
func (s store) all(ctx context.Context, id string) (pages []site.Page, err error) {
	const atATime = 500
	before := uuid.Max.String()
	for {
		some, err := s.pages(ctx, id, before, atATime)
		if err != nil {
			return nil, err
		}
		for i := range some {
			pages = append(pages, some[i].Page.V)
		}
		if len(some) < atATime {
			return pages, nil
		}
		before = some[len(some)-1].Place
	}
}

// left returns the addresses that weren't audited yet.
func (s store) left(ctx context.Context, id string) ([]string, error) {
	var urls db.JSON[[]string]
	if err := s.db.Get(ctx, &urls, `SELECT urls FROM sites WHERE id = ?`, id); err != nil {
		return nil, fmt.Errorf("find the pages of the site %s: %w", id, err)
	}
	var known []string
	if err := s.db.Select(ctx, &known, `SELECT url FROM site_pages WHERE site_id = ?`, id); err != nil {
		return nil, fmt.Errorf("find the pages of the site %s: %w", id, err)
	}
	done := make(map[string]bool, len(known))
	for _, url := range known {
		done[url] = true
	}
	var left []string
	for _, url := range urls.V {
		if !done[url] {
			left = append(left, url)
		}
	}
	return left, nil
}

// errDeleted says that an audit was deleted while it ran.
var errDeleted = errors.New("the audit was deleted")

// add stores a page with its small picture, unless the site has too many bytes of them. A page that another node has
// stored in the meantime stays. The error is errDeleted if the audit was deleted in the meantime.
func (s store) add(ctx context.Context, id string, p site.Page, picture []byte) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if p.Thumb != "" {
			rows, err := tx.Exec(ctx, `UPDATE sites SET picture_bytes = picture_bytes + CASE WHEN EXISTS (
					SELECT 1 FROM site_pictures WHERE site_id = ? AND name = ?) THEN 0 ELSE CAST(? AS BIGINT) END
				WHERE id = ? AND (picture_bytes + ? <= ? OR EXISTS (
					SELECT 1 FROM site_pictures WHERE site_id = ? AND name = ?))`,
				id, p.Thumb, len(picture), id, len(picture), maxPictureBytes, id, p.Thumb)
			if err != nil {
				return err
			}
			if rows == 0 {
				p.Thumb = ""
			} else if _, err := tx.Exec(ctx, `INSERT INTO site_pictures (site_id, name, data) VALUES (?, ?, ?)
				ON CONFLICT (site_id, name) DO NOTHING`, id, p.Thumb, picture); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `INSERT INTO site_pages (site_id, url, place, unread, page) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT DO NOTHING`, id, p.URL, placeOf(&p), p.Error != "", db.JSON[site.Page]{V: p})
		return err
	})
	if db.IsForeignKey(err) {
		return errDeleted
	}
	if err != nil {
		return fmt.Errorf("store a page of the site %s: %w", id, err)
	}
	return nil
}

// worstPlace is the first byte of the place of a page with a score of 0; one without a report has the next.
const worstPlace = 200

// placeOf is the place of a page, such that worse pages have higher ones: a UUID, as cursors have them.
func placeOf(p *site.Page) string {
	sum := sha256.Sum256([]byte(p.URL))
	place := uuid.UUID{byte(worstPlace - p.Rank())}
	copy(place[1:], sum[:])
	return place.String()
}

// pictureName is the name of a small picture: by its content, so that pages share it.
func pictureName(shown *audit.Thumbnail) string {
	sum := sha256.Sum256(shown.Data)
	return hex.EncodeToString(sum[:16]) + path.Ext(shown.Name)
}

// picture returns the small picture of a page of an audit that a caller may see.
func (s store) picture(
	ctx context.Context, c identity.Caller, id, url string,
) (data []byte, name string, err error) {
	var page db.JSON[site.Page]
	err = s.db.Get(ctx, &page, `SELECT page FROM site_pages WHERE site_id = ? AND url = ? AND site_id IN (
		SELECT id FROM sites WHERE `+scope+`)`, append([]any{id, url}, inScope(c)...)...)
	if err != nil {
		return nil, "", db.Missing(err, noSite, "find a page of the site "+id)
	}
	name = page.V.Thumb
	err = s.db.Get(ctx, &data, `SELECT data FROM site_pictures WHERE site_id = ? AND name = ?`, id, name)
	return data, name, db.Missing(err, "There is no picture of this page.", "find a picture of the site "+id)
}

// delete deletes an audit that a caller may see.
func (s store) delete(ctx context.Context, c identity.Caller, id string) error {
	rows, err := s.db.Exec(ctx, `DELETE FROM sites WHERE `+scope+` AND id = ?`, append(inScope(c), id)...)
	if err != nil {
		return fmt.Errorf("delete the audit of a site %s: %w", id, err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, noSite)
	}
	return nil
}

func setListed(ctx context.Context, tx *db.Tx, id string, urls []string, note string) error {
	_, err := tx.Exec(ctx, `UPDATE sites SET state = 'RUNNING', urls = ?, listed = ?, note = ? WHERE id = ?`,
		db.JSON[[]string]{V: urls}, len(urls), note, id)
	return err
}

// setDone ends an audit, and returns it; ok is false if it was deleted.
func setDone(
	ctx context.Context, tx *db.Tx, id string, state State, reason string, report *site.Report, at time.Time,
) (_ Audit, ok bool, err error) {
	var r row
	var stored *db.JSON[*site.Report]
	if report != nil {
		stored = &db.JSON[*site.Report]{V: report}
	}
	err = tx.Get(ctx, &r, `UPDATE sites SET state = ?, error = ?, report = ?, urls = '[]', finished_at = ? WHERE id = ?
		RETURNING `+columns, string(state), reason, stored, db.Millis{Time: at}, id)
	if errors.Is(err, sql.ErrNoRows) {
		return Audit{}, false, nil
	}
	return r.site(), err == nil, err
}

// sweep deletes audits from before a time, a few at a time.
func (s store) sweep(ctx context.Context, before time.Time) error {
	for {
		rows, err := s.db.Exec(ctx, `DELETE FROM sites WHERE id IN (
			SELECT id FROM sites WHERE created_at < ? ORDER BY created_at LIMIT 5)`, db.Millis{Time: before})
		if err != nil {
			return fmt.Errorf("delete old audits of sites: %w", err)
		}
		if rows == 0 {
			return nil
		}
	}
}
