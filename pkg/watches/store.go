package watches

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit/rule"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
	"masthead/pkg/identity"
)

type store struct{ db *db.DB }

// row is a Watch as it is stored.
type row struct {
	ID        string         `db:"id"`
	Kind      string         `db:"kind"`
	PublicID  string         `db:"public_id"`
	OwnerID   string         `db:"owner_id"`
	SitemapID sql.NullString `db:"sitemap_id"`
	GoneAt    db.Millis      `db:"gone_at"`
	Listed    int            `db:"listed"`
	Note      string         `db:"note"`
	ProjectID sql.NullString `db:"project_id"`
	URL       string         `db:"url"`
	Every     string         `db:"every"`
	ReportID  string         `db:"report_id"`
	Score     int            `db:"score"`
	Letter    string         `db:"letter"`
	Error     string         `db:"error"`
	LastAt    db.Millis      `db:"last_at"`
	NextAt    db.Millis      `db:"next_at"`
	CreatedAt db.Millis      `db:"created_at"`
	UpdatedAt db.Millis      `db:"updated_at"`
}

const (
	columns = `id, kind, public_id, owner_id, project_id, sitemap_id, gone_at, url, every, report_id, score, letter,
		error, listed, note, last_at, next_at, created_at, updated_at`
	// scope is the condition of what a caller may use: the account's, and with a key of a project, that project's.
	scope = `owner_id = ? AND (CAST(? AS TEXT) = '' OR project_id = ?) AND gone_at IS NULL`
)

// noWatch is the message for what doesn't exist or belongs to another account.
const noWatch = "There is no watched page with this id."

func inScope(c identity.Caller) []any { return []any{c.UserID, c.KeyProjectID, c.KeyProjectID} }

func (r row) watch() Watch {
	return Watch{
		ID: r.ID, Kind: Kind(r.Kind), PublicID: r.PublicID, OwnerID: r.OwnerID, ProjectID: r.ProjectID.String,
		SitemapID: r.SitemapID.String, Gone: !r.GoneAt.IsZero(), Listed: r.Listed, Note: r.Note, URL: r.URL,
		Every: Every(r.Every), ReportID: r.ReportID, Score: r.Score, Letter: r.Letter, Error: r.Error,
		LastAt: r.LastAt.Time, NextAt: r.NextAt.Time, CreatedAt: r.CreatedAt.Time, UpdatedAt: r.UpdatedAt.Time,
	}
}

// lockAccount lets one transaction at a time add watches to an account. A count doesn't see uncommitted ones.
func lockAccount(ctx context.Context, tx *db.Tx, ownerID string) error {
	return tx.Lock(ctx, "watches of "+ownerID)
}

// countPages returns how many pages of an account are watched.
func countPages(ctx context.Context, tx *db.Tx, ownerID string) (count int, err error) {
	err = tx.Get(ctx, &count, `SELECT COUNT(*) FROM watches WHERE owner_id = ? AND kind = 'page' AND gone_at IS NULL`,
		ownerID)
	if err != nil {
		return 0, fmt.Errorf("count the watched pages of account %s: %w", ownerID, err)
	}
	return count, nil
}

// insert stores a watch.
func insert(ctx context.Context, tx *db.Tx, w Watch) error {
	_, err := tx.Exec(ctx, `INSERT INTO watches
			(id, kind, public_id, owner_id, project_id, sitemap_id, url, every, next_at, created_at, updated_at)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`, w.ID, string(w.Kind), w.PublicID, w.OwnerID, db.OrNull(w.ProjectID),
		db.OrNull(w.SitemapID), w.URL, string(w.Every), db.Millis{Time: w.NextAt}, db.Millis{Time: w.CreatedAt},
		db.Millis{Time: w.UpdatedAt})
	if err != nil {
		return fmt.Errorf("store a watched page of account %s: %w", w.OwnerID, err)
	}
	return nil
}

// insert stores a watch and what else belongs to it. It returns TierLocked if its owner has as many pages as the plan
// allows, or as many sitemaps.
func (s store) insert(
	ctx context.Context, w Watch, plan billing.Plan, also func(context.Context, *db.Tx) error,
) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		if err := lockAccount(ctx, tx, w.OwnerID); err != nil {
			return err
		}
		most, err := countMost(ctx, tx, w.OwnerID, w.Kind)
		if err != nil {
			return err
		}
		if most >= plan.Watches {
			return full(plan)
		}
		if err := insert(ctx, tx, w); err != nil {
			return err
		}
		return also(ctx, tx)
	})
	if err != nil {
		return fmt.Errorf("store a watched page of account %s: %w", w.OwnerID, err)
	}
	return nil
}

// countMost returns how many pages an account watches, or how many watches of a kind if those are more.
func countMost(ctx context.Context, tx *db.Tx, ownerID string, kind Kind) (most int, err error) {
	err = tx.Get(ctx, &most, `SELECT COALESCE(MAX(n), 0) FROM (SELECT COUNT(*) AS n FROM watches
		WHERE owner_id = ? AND gone_at IS NULL AND kind IN ('page', ?) GROUP BY kind) AS counts`, ownerID, string(kind))
	if err != nil {
		return 0, fmt.Errorf("count the watches of account %s: %w", ownerID, err)
	}
	return most, nil
}

// full says that an account watches as many pages or sitemaps as its plan allows.
func full(plan billing.Plan) error {
	return apperr.New(apperr.TierLocked, fmt.Sprintf(
		"The plan %s allows %s, and as many sitemaps. Delete one, or change the plan.",
		humanize.Capital(plan.Name), humanize.Count(plan.Watches, "watched page")))
}

func (s store) get(ctx context.Context, c identity.Caller, id string) (Watch, error) {
	var r row
	err := s.db.Brief().Get(ctx, &r, `SELECT `+columns+` FROM watches WHERE `+scope+` AND id = ?`,
		append(inScope(c), id)...)
	return r.watch(), db.Missing(err, noWatch, "find watched page "+id)
}

// find returns a watch of any owner, also one that is gone.
func (s store) find(ctx context.Context, id string) (w Watch, ok bool, err error) {
	return one(s.db.Get, ctx, "id", id)
}

// byPublicID returns the watch of a badge.
func (s store) byPublicID(ctx context.Context, publicID string) (w Watch, ok bool, err error) {
	return one(s.db.Get, ctx, "public_id", publicID)
}

// lock returns a watch that nobody else changes until tx ends; ok is false for one that is gone.
func lock(ctx context.Context, tx *db.Tx, id string) (w Watch, ok bool, err error) {
	if _, err := tx.Exec(ctx, `UPDATE watches SET run_id = '' WHERE id = ?`, id); err != nil {
		return w, false, fmt.Errorf("lock watched page %s: %w", id, err)
	}
	w, ok, err = one(tx.Get, ctx, "id", id)
	return w, ok && !w.Gone, err
}

// getter is Get of a database or a transaction.
type getter func(ctx context.Context, to any, query string, args ...any) error

func one(get getter, ctx context.Context, column, value string) (w Watch, ok bool, err error) {
	var r row
	err = get(ctx, &r, `SELECT `+columns+` FROM watches WHERE `+column+` = ?`, value)
	if errors.Is(err, sql.ErrNoRows) {
		return w, false, nil
	}
	if err != nil {
		return w, false, fmt.Errorf("find watched page %s: %w", value, err)
	}
	return r.watch(), true, nil
}

// scores adds to watches at most limit of their latest scores each.
func (s store) scores(ctx context.Context, list []Watch, limit int) error {
	at := make(map[string]*Watch, len(list))
	args := make([]any, 0, len(list))
	for i := range list {
		at[list[i].ID], args = &list[i], append(args, list[i].ID)
	}
	var rows []struct {
		WatchID string    `db:"watch_id"`
		At      db.Millis `db:"at"`
		Score   int       `db:"score"`
		Letter  string    `db:"letter"`
	}
	// From the oldest of them on, which the index finds: numbering the rows of each watch takes SQLite much longer.
	err := s.db.Brief().Select(ctx, &rows, `SELECT r.watch_id, r.at, r.score, r.letter FROM watches AS w
		JOIN watch_runs AS r ON r.watch_id = w.id AND r.letter <> '' AND r.id >= COALESCE((SELECT id FROM watch_runs
			WHERE watch_id = w.id AND letter <> '' ORDER BY id DESC LIMIT 1 OFFSET ?), '')
		WHERE w.id IN (?`+strings.Repeat(`, ?`, len(list)-1)+`) ORDER BY w.id, r.id DESC`,
		append([]any{limit - 1}, args...)...)
	if err != nil {
		return fmt.Errorf("read the scores of watched pages: %w", err)
	}
	for _, r := range rows {
		w := at[r.WatchID]
		w.Scores = append(w.Scores, Score{At: r.At.Time, Score: r.Score, Letter: r.Letter})
	}
	return nil
}

// beyondPlan returns the id of the oldest watch of each kind that the plan of an account has no room for: it has room
// for that many pages, and sitemaps.
func (s store) beyondPlan(ctx context.Context, ownerID string, most int) (map[Kind]string, error) {
	const of = `SELECT kind, id FROM (SELECT kind, id FROM watches WHERE owner_id = ? AND gone_at IS NULL AND kind = ?
		ORDER BY id LIMIT 1 OFFSET ?) AS beyond`
	var rows []row
	args := []any{ownerID, string(Page), most, ownerID, string(Sitemap), most}
	err := s.db.Brief().Select(ctx, &rows, of+` UNION ALL `+of, args...)
	if err != nil {
		return nil, fmt.Errorf("list the watched pages of account %s: %w", ownerID, err)
	}
	first := map[Kind]string{}
	for _, r := range rows {
		first[Kind(r.Kind)] = r.ID
	}
	return first, nil
}

// older returns how many older watches of its kind the owner of one has.
func (s store) older(ctx context.Context, w Watch) (count int, err error) {
	err = s.db.Get(ctx, &count, `SELECT COUNT(*) FROM watches
		WHERE owner_id = ? AND id < ? AND kind = ? AND gone_at IS NULL`, w.OwnerID, w.ID, string(w.Kind))
	if err != nil {
		return 0, fmt.Errorf("count the watched pages of account %s: %w", w.OwnerID, err)
	}
	return count, nil
}

// beyond returns the addresses of an account's watched pages but for the oldest.
func beyond(ctx context.Context, tx *db.Tx, ownerID string, room, most int) (urls []string, err error) {
	err = tx.Select(ctx, &urls, `SELECT url FROM watches WHERE owner_id = ? AND kind = 'page' AND gone_at IS NULL
		ORDER BY id LIMIT ? OFFSET ?`, ownerID, most, room)
	if err != nil {
		return nil, fmt.Errorf("list the watched pages of account %s: %w", ownerID, err)
	}
	return urls, nil
}

// update changes how often a page is audited, or returns NotFound.
func update(ctx context.Context, tx *db.Tx, c identity.Caller, id string, every Every, now time.Time) error {
	rows, err := tx.Exec(ctx, `UPDATE watches SET every = ?, updated_at = ? WHERE id = ? AND `+scope,
		append([]any{string(every), db.Millis{Time: now}, id}, inScope(c)...)...)
	return missing(rows, err, "change watched page "+id)
}

func (s store) delete(ctx context.Context, c identity.Caller, id string) error {
	rows, err := s.db.Exec(ctx, `DELETE FROM watches WHERE id = ? AND `+scope, append([]any{id}, inScope(c)...)...)
	return missing(rows, err, "delete watched page "+id)
}

// missing returns the error of a statement that changes one row, or NotFound if there is none.
func missing(rows int64, err error, doing string) error {
	if err != nil {
		return fmt.Errorf("%s: %w", doing, err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, noWatch)
	}
	return nil
}

// begin returns the id of the audit that runs, "" if the watch was deleted.
func (s store) begin(ctx context.Context, id string) (runID string, err error) {
	err = s.db.GetWrite(ctx, &runID, `UPDATE watches
		SET run_id = CASE WHEN run_id = '' THEN CAST(? AS TEXT) ELSE run_id END
		WHERE id = ? RETURNING run_id`, db.NewID(), id)
	if errors.Is(err, sql.ErrNoRows) {
		return "", nil
	}
	if err != nil {
		return "", fmt.Errorf("begin the audit of watched page %s: %w", id, err)
	}
	return runID, nil
}

// setNext stores when a watch is audited next; there is false if it was deleted or is gone.
func setNext(ctx context.Context, tx *db.Tx, id string, at time.Time) (there bool, err error) {
	rows, err := tx.Exec(ctx, `UPDATE watches SET next_at = ? WHERE id = ? AND gone_at IS NULL`, db.Millis{Time: at}, id)
	if err != nil {
		return false, fmt.Errorf("plan the audit of watched page %s: %w", id, err)
	}
	return rows > 0, nil
}

// noteFault stores why the first audit of a watch failed, which is tried again.
func (s store) noteFault(ctx context.Context, id, fault string) error {
	_, err := s.db.Exec(ctx, `UPDATE watches SET error = ? WHERE id = ? AND last_at IS NULL`, fault, id)
	if err != nil {
		return fmt.Errorf("store the fault of watched page %s: %w", id, err)
	}
	return nil
}

// storeRun stores an audit of a watch with what changed.
func storeRun(ctx context.Context, tx *db.Tx, w Watch, r Run, c changes) error {
	_, err := tx.Exec(ctx, `INSERT INTO watch_runs (id, watch_id, at, report_id, score, letter, error, changes)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?)`, r.ID, w.ID, db.Millis{Time: r.At}, r.ReportID, r.Score, r.Letter, r.Error,
		db.JSON[[]string]{V: r.Changes})
	if err == nil && r.ReportID != "" {
		_, err = tx.Exec(ctx, `UPDATE watches SET report_id = ?, score = ?, letter = ?, error = '', last_at = ? WHERE id = ?`,
			r.ReportID, r.Score, r.Letter, db.Millis{Time: r.At}, w.ID)
	} else if err == nil {
		_, err = tx.Exec(ctx, `UPDATE watches SET error = ?, last_at = ? WHERE id = ?`, r.Error, db.Millis{Time: r.At}, w.ID)
	}
	for _, f := range c.over {
		if err == nil {
			_, err = tx.Exec(ctx, `UPDATE watch_findings SET until = ? WHERE id = ?`, db.Millis{Time: r.At}, f.id)
		}
	}
	for _, f := range c.same {
		if err == nil && f.changed {
			_, err = tx.Exec(ctx, `UPDATE watch_findings SET severity = ?, words = ? WHERE id = ?`, f.Severity,
				db.JSON[words]{V: f.words}, f.id)
		}
	}
	for _, f := range c.begun {
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO watch_findings (id, watch_id, subject, severity, told, words, since)
				VALUES (?, ?, ?, ?, ?, ?, ?)`, db.NewID(), w.ID, f.Subject, f.Severity, f.Told, db.JSON[words]{V: f.words},
				db.Millis{Time: r.At})
		}
	}
	if err != nil {
		return fmt.Errorf("store an audit of watched page %s: %w", w.ID, err)
	}
	return nil
}

// runRow is a Run as it is stored.
type runRow struct {
	ID       string            `db:"id"`
	At       db.Millis         `db:"at"`
	ReportID string            `db:"report_id"`
	Score    int               `db:"score"`
	Letter   string            `db:"letter"`
	Error    string            `db:"error"`
	Changes  db.JSON[[]string] `db:"changes"`
}

func (r runRow) run() Run {
	return Run{
		ID: r.ID, At: r.At.Time, ReportID: r.ReportID, Score: r.Score, Letter: r.Letter, Error: r.Error,
		Changes: r.Changes.V,
	}
}

// runs returns at most limit audits of a watch whose ids are less than before, newest first.
func (s store) runs(ctx context.Context, id, before string, limit int) ([]Run, error) {
	list, err := db.SelectAs(ctx, s.db, runRow.run, `SELECT id, at, report_id, score, letter, error, changes
		FROM watch_runs WHERE watch_id = ? AND id < ? ORDER BY id DESC LIMIT ?`, id, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the audits of watched page %s: %w", id, err)
	}
	return list, nil
}

// sweep deletes audits, and findings that are over, from before a time, and pages that are gone since before another.
func (s store) sweep(ctx context.Context, before, gone time.Time) error {
	for statement, before := range map[string]time.Time{
		`DELETE FROM watch_runs WHERE id IN (SELECT id FROM watch_runs WHERE at < ? LIMIT 1000)`:                 before,
		`DELETE FROM watch_findings WHERE id IN (SELECT id FROM watch_findings WHERE until < ? LIMIT 1000)`:      before,
		`DELETE FROM watches WHERE id IN (SELECT id FROM watches WHERE gone_at < ? ORDER BY gone_at LIMIT 1000)`: gone,
	} {
		for {
			rows, err := s.db.Exec(ctx, statement, db.Millis{Time: before})
			if err != nil {
				return fmt.Errorf("delete old audits of watched pages: %w", err)
			}
			if rows < 1000 {
				break
			}
		}
	}
	return nil
}

// The pages of sitemaps.

// pagesOf returns the pages of a sitemap by their addresses, also those that are gone.
func pagesOf(ctx context.Context, tx *db.Tx, sitemapID string) (map[string]Watch, error) {
	var rows []row
	if err := tx.Select(ctx, &rows, `SELECT `+columns+` FROM watches WHERE sitemap_id = ?`, sitemapID); err != nil {
		return nil, fmt.Errorf("list the pages of sitemap %s: %w", sitemapID, err)
	}
	pages := make(map[string]Watch, len(rows))
	for _, r := range rows {
		pages[r.URL] = r.watch()
	}
	return pages, nil
}

// alone returns the addresses in a sitemap's project that are watched without it.
func alone(ctx context.Context, tx *db.Tx, w Watch) (map[string]bool, error) {
	var urls []string
	err := tx.Select(ctx, &urls, `SELECT url FROM watches WHERE owner_id = ? AND kind = 'page' AND gone_at IS NULL
		AND COALESCE(sitemap_id, '') <> ? AND COALESCE(project_id, '') = ?`, w.OwnerID, w.ID, w.ProjectID)
	if err != nil {
		return nil, fmt.Errorf("list the watched pages of account %s: %w", w.OwnerID, err)
	}
	all := map[string]bool{}
	for _, u := range urls {
		all[u] = true
	}
	return all, nil
}

// setBack stores how often a page of a sitemap is audited, and next, and that it isn't gone.
func setBack(ctx context.Context, tx *db.Tx, p Watch) error {
	_, err := tx.Exec(ctx, `UPDATE watches SET gone_at = NULL, every = ?, next_at = ? WHERE id = ?`, string(p.Every),
		db.Millis{Time: p.NextAt}, p.ID)
	if err != nil {
		return fmt.Errorf("watch page %s again: %w", p.ID, err)
	}
	return nil
}

// setGone stores that a sitemap no longer lists a page.
func setGone(ctx context.Context, tx *db.Tx, id string, at time.Time) error {
	_, err := tx.Exec(ctx, `UPDATE watches SET gone_at = ?, run_id = '' WHERE id = ?`, db.Millis{Time: at}, id)
	if err != nil {
		return fmt.Errorf("remove watched page %s: %w", id, err)
	}
	return nil
}

// forget deletes the pages of a sitemap that are gone but for the latest.
func forget(ctx context.Context, tx *db.Tx, sitemapID string, latest int) error {
	_, err := tx.Exec(ctx, `DELETE FROM watches WHERE id IN (SELECT id FROM watches
		WHERE sitemap_id = ? AND gone_at IS NOT NULL ORDER BY gone_at DESC, id LIMIT 100000 OFFSET ?)`, sitemapID, latest)
	if err != nil {
		return fmt.Errorf("delete removed pages of sitemap %s: %w", sitemapID, err)
	}
	return nil
}

// storeListed stores what a sitemap lists.
func storeListed(ctx context.Context, tx *db.Tx, w Watch) error {
	_, err := tx.Exec(ctx, `UPDATE watches SET listed = ?, note = ? WHERE id = ?`, w.Listed, w.Note, w.ID)
	if err != nil {
		return fmt.Errorf("store what sitemap %s lists: %w", w.ID, err)
	}
	return nil
}

// watched returns how many pages of a sitemap are watched.
func (s store) watched(ctx context.Context, sitemapID string) (count int, err error) {
	err = s.db.Get(ctx, &count, `SELECT COUNT(*) FROM watches WHERE sitemap_id = ? AND gone_at IS NULL`, sitemapID)
	if err != nil {
		return 0, fmt.Errorf("count the pages of sitemap %s: %w", sitemapID, err)
	}
	return count, nil
}

// average returns the average score of the latest reports of a sitemap's pages, and its letter; "" if there is none.
func average(ctx context.Context, get getter, sitemapID string) (score int, letter string, err error) {
	var r struct {
		Pages int `db:"pages"`
		Sum   int `db:"sum"`
	}
	err = get(ctx, &r, `SELECT COUNT(*) AS pages, CAST(COALESCE(SUM(score), 0) AS BIGINT) AS sum FROM watches
		WHERE sitemap_id = ? AND gone_at IS NULL AND letter <> ''`, sitemapID)
	if err != nil {
		return 0, "", fmt.Errorf("average the scores of sitemap %s: %w", sitemapID, err)
	}
	if r.Pages == 0 {
		return 0, "", nil
	}
	mean := rule.Score{Points: float64(r.Sum) / float64(r.Pages)}
	return mean.Rounded(), mean.Grade(), nil
}
