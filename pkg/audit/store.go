package audit

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/audit/rule"
	"masthead/pkg/billing"
	"masthead/pkg/blob"
	"masthead/pkg/cleantext"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

type store struct{ db *db.DB }

// record is a report with everything stored about it.
type record struct {
	Record
	ai AI
}

// row is a record as stored in its table.
type row struct {
	ID       string              `db:"id"`
	PublicID string              `db:"public_id"`
	OwnerID  *string             `db:"owner_id"`
	Status   string              `db:"ai_status"`
	Error    string              `db:"ai_error"`
	Analysis *db.JSON[*Analysis] `db:"ai_analysis"`
	Report   db.JSON[*Report]    `db:"report"`
}

const columns = `id, public_id, owner_id, ai_status, ai_error, ai_analysis, report`

// noReport is the response for a report that doesn't exist or belongs to someone else.
const noReport = "There is no report with this id. Reports of anonymous callers are deleted after a while."

func (r row) record() *record {
	found := &record{Record: Record{Report: r.Report.V, id: r.ID}, ai: aiOf(r.Status, r.Error, r.Analysis)}
	found.ID = r.PublicID
	if r.OwnerID != nil {
		found.OwnerID = *r.OwnerID
	}
	return found
}

func aiOf(status, fault string, analysis *db.JSON[*Analysis]) AI {
	ai := AI{Status: AIStatus(status), Error: fault}
	if analysis != nil {
		ai.Analysis = analysis.V
	}
	return ai
}

// insert stores a report with its files, which have been written, and deletes the owner's oldest reports if there are
// too many. refer, which ends the hold of the files, and then run in the same transaction.
func (s store) insert(ctx context.Context, r *record, files []file, refer, then func(*db.Tx) error) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO audits (id, public_id, owner_id, url, final_url, title, overall, og, twitter, seo,
			created_at, ai_status, ai_error, report) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
			r.id, r.ID, db.OrNull(r.OwnerID), r.URL, r.FinalURL, cleantext.Clean(r.Metadata.Title, cleantext.MaxTitle),
			r.Overall.Score, r.Categories.OG.Score, r.Categories.Twitter.Score, r.Categories.SEO.Score,
			db.Millis{Time: r.FetchedAt}, string(r.ai.Status), r.ai.Error, db.JSON[*Report]{V: r.Report})
		if err != nil {
			return err
		}
		if err := refer(tx); err != nil {
			return err
		}
		for _, f := range files {
			if _, err := tx.Exec(ctx, `INSERT INTO audit_files (digest, name, size, audit_id) VALUES (?, ?, ?, ?)`,
				f.Digest, f.File, f.size, r.id); err != nil {
				return err
			}
		}
		if r.OwnerID != "" {
			if err := s.trim(ctx, tx, r.OwnerID); err != nil {
				return err
			}
		}
		return then(tx)
	})
	if err != nil {
		return fmt.Errorf("store a report: %w", err)
	}
	return nil
}

// previousScore returns the overall score of the owner's latest other report of the same address.
func previousScore(ctx context.Context, tx *db.Tx, r *record) (score int, found bool, err error) {
	err = tx.Get(ctx, &score, `SELECT overall FROM audits WHERE owner_id = ? AND url = ? AND id <> ?
			AND deleting_at IS NULL ORDER BY created_at DESC, id DESC LIMIT 1`, r.OwnerID, r.URL, r.id)
	if errors.Is(err, sql.ErrNoRows) {
		return 0, false, nil
	}
	if err != nil {
		return 0, false, fmt.Errorf("find the previous report of %s: %w", r.URL, err)
	}
	return score, true, nil
}

// trim deletes the reports of an owner beyond the newest MaxReports.
func (s store) trim(ctx context.Context, tx *db.Tx, ownerID string) error {
	_, err := tx.Exec(ctx, `DELETE FROM audits WHERE owner_id = ? AND id < (
		SELECT id FROM audits WHERE owner_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)`, ownerID, ownerID, MaxReports-1)
	return err
}

// byID returns a report of an owner by its row's ID.
func (s store) byID(ctx context.Context, ownerID, id string) (*record, error) {
	return s.one(ctx, `id = ? AND owner_id = ? AND deleting_at IS NULL`, id, ownerID)
}

// ofNobody returns the latest anonymous report of an address made between two times; NotFound if there is none.
func (s store) ofNobody(ctx context.Context, address string, after, before time.Time) (*record, error) {
	return s.one(ctx,
		`owner_id IS NULL AND created_at > ? AND created_at < ? AND url = ? ORDER BY created_at DESC LIMIT 1`,
		db.Millis{Time: after}, db.Millis{Time: before}, address)
}

// byRow returns a report by its row's ID.
func (s store) byRow(ctx context.Context, id string) (*record, error) {
	return s.one(ctx, `id = ?`, id)
}

// byPublicID returns a report by its public ID; an anonymous one only if it was made after a time.
func (s store) byPublicID(ctx context.Context, id string, oldest time.Time) (*record, error) {
	return s.one(ctx, `public_id = ? AND (owner_id IS NOT NULL OR created_at > ?) AND deleting_at IS NULL AND `+
		notDeleting("owner_id"), id, db.Millis{Time: oldest})
}

// notDeleting is the condition that the owner in a column has not deleted their account.
func notDeleting(column string) string {
	return `NOT EXISTS (SELECT 1 FROM users WHERE users.id = ` + column + ` AND users.deleting_at IS NOT NULL)`
}

// one returns the report that satisfies a condition. Pictures deleted before their report aren't shown.
func (s store) one(ctx context.Context, where string, args ...any) (*record, error) {
	var r row
	if err := s.db.Get(ctx, &r, `SELECT `+columns+` FROM audits WHERE `+where, args...); err != nil {
		return nil, db.Missing(err, noReport, "find a report")
	}
	found := r.record()
	kept, err := s.filesOf(ctx, found.id)
	if err != nil {
		return nil, err
	}
	for i := range found.Pictures {
		shown := found.Pictures[i].Shown
		if shown != nil && !kept[shown.Name] && !kept[shown.file()] {
			found.Pictures[i].Shown = nil
		}
	}
	return found, nil
}

// filesOf returns the names of a report's files.
func (s store) filesOf(ctx context.Context, id string) (map[string]bool, error) {
	var names []string
	if err := s.db.Select(ctx, &names, `SELECT name FROM audit_files WHERE audit_id = ?`, id); err != nil {
		return nil, fmt.Errorf("find the pictures of a report: %w", err)
	}
	kept := make(map[string]bool, len(names))
	for _, n := range names {
		kept[n] = true
	}
	return kept, nil
}

// fileNamed returns the file of a report with a name; NotFound if there is none.
func (s store) fileNamed(ctx context.Context, publicID, name string, oldest time.Time) (blob.Name, error) {
	var n blob.Name
	err := s.db.Get(ctx, &n, `SELECT f.digest, f.name FROM audit_files f JOIN audits a ON a.id = f.audit_id
		WHERE a.public_id = ? AND f.name = ? AND (a.owner_id IS NOT NULL OR a.created_at > ?)
			AND a.deleting_at IS NULL AND `+notDeleting("a.owner_id"), publicID, name, db.Millis{Time: oldest})
	return n, db.Missing(err, "There is no such picture.", "find a picture of a report")
}

// replaceFile replaces a file of a report by another, which has been written, and reports whether it was still there.
// refer ends the hold of the other one.
func (s store) replaceFile(ctx context.Context, old blob.Name, by file, refer func(*db.Tx) error) (bool, error) {
	replaced := false
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		var id string
		err := tx.Get(ctx, &id, `DELETE FROM audit_files WHERE digest = ? AND name = ? RETURNING audit_id`,
			old.Digest, old.File)
		if replaced = err == nil; errors.Is(err, sql.ErrNoRows) {
			return nil
		}
		if err == nil {
			err = refer(tx)
		}
		if err == nil {
			_, err = tx.Exec(ctx, `INSERT INTO audit_files (digest, name, size, audit_id) VALUES (?, ?, ?, ?)`,
				by.Digest, by.File, by.size, id)
		}
		return err
	})
	if err != nil {
		return false, fmt.Errorf("replace a picture of a report: %w", err)
	}
	return replaced, nil
}

// dropFile deletes a file of a report.
func (s store) dropFile(ctx context.Context, n blob.Name) error {
	_, err := s.db.Exec(ctx, `DELETE FROM audit_files WHERE digest = ? AND name = ?`, n.Digest, n.File)
	if err != nil {
		return fmt.Errorf("delete a picture of a report: %w", err)
	}
	return nil
}

// list returns at most limit reports of an owner with IDs before an ID, in descending order, with analyses only if
// requested.
func (s store) list(ctx context.Context, ownerID, before string, limit int, analysis bool) ([]Summary, error) {
	what := `NULL`
	if analysis {
		what = `ai_analysis`
	}
	type summary struct {
		ID        string              `db:"id"`
		PublicID  string              `db:"public_id"`
		URL       string              `db:"url"`
		FinalURL  string              `db:"final_url"`
		Title     string              `db:"title"`
		Overall   float64             `db:"overall"`
		OG        float64             `db:"og"`
		Twitter   float64             `db:"twitter"`
		SEO       float64             `db:"seo"`
		CreatedAt db.Millis           `db:"created_at"`
		Status    string              `db:"ai_status"`
		Error     string              `db:"ai_error"`
		Analysis  *db.JSON[*Analysis] `db:"analysis"`
	}
	grade := func(points float64) Grade { return gradeOf(rule.Score{Points: points}) }
	list, err := db.SelectAs(ctx, s.db, func(r summary) Summary {
		return Summary{
			ID: r.PublicID, URL: r.URL, FinalURL: r.FinalURL, Title: r.Title, FetchedAt: r.CreatedAt.Time,
			Overall: grade(r.Overall), Categories: Grades{grade(r.OG), grade(r.Twitter), grade(r.SEO)},
			AI: aiOf(r.Status, r.Error, r.Analysis), row: r.ID,
		}
	}, `SELECT id, public_id, url, final_url, title, overall, og, twitter, seo, created_at, ai_status, ai_error, `+what+
		` AS analysis FROM audits WHERE owner_id = ? AND id < ? AND deleting_at IS NULL ORDER BY id DESC LIMIT ?`,
		ownerID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the reports of account %s: %w", ownerID, err)
	}
	return list, nil
}

// delete deletes a report of an owner.
func (s store) delete(ctx context.Context, ownerID, publicID string) error {
	rows, err := s.db.Exec(ctx, `DELETE FROM audits WHERE public_id = ? AND owner_id = ? AND deleting_at IS NULL`,
		publicID, ownerID)
	if err != nil {
		return fmt.Errorf("delete a report: %w", err)
	}
	if rows == 0 {
		return apperr.New(apperr.NotFound, noReport)
	}
	return nil
}

// hidden returns how many analyses the history no longer shows on a plan. It implements [users.Limit].
func (s store) hidden(
	ctx context.Context, tx *db.Tx, accountID string, plan billing.Plan,
) (paused []string, err error) {
	if plan.History {
		return nil, nil
	}
	var count int
	err = tx.Get(ctx, &count, `SELECT COUNT(*) FROM audits WHERE owner_id = ? AND ai_analysis IS NOT NULL`, accountID)
	if err != nil {
		return nil, fmt.Errorf("count the analyses of account %s: %w", accountID, err)
	}
	if count == 0 {
		return nil, nil
	}
	return []string{"AI analyses of " + humanize.Count(count, "report") + " in the history"}, nil
}

// setAI records the state of a report's analysis, in the transaction that stores the report.
func (s store) setAI(ctx context.Context, tx *db.Tx, id string, from AIStatus, ai AI) error {
	_, err := tx.Exec(ctx, `UPDATE audits SET ai_status = ?, ai_error = ? WHERE id = ? AND ai_status = ?`,
		string(ai.Status), ai.Error, id, string(from))
	if err != nil {
		return fmt.Errorf("note the analysis of a report: %w", err)
	}
	return nil
}

// finishAI records the result of a pending analysis.
func (s store) finishAI(ctx context.Context, tx *db.Tx, id string, ai AI) (noted bool, err error) {
	var analysis any
	if ai.Analysis != nil {
		analysis = db.JSON[*Analysis]{V: ai.Analysis}
	}
	rows, err := tx.Exec(ctx,
		`UPDATE audits SET ai_status = ?, ai_error = ?, ai_analysis = ? WHERE id = ? AND ai_status = 'PENDING'`,
		string(ai.Status), ai.Error, analysis, id)
	if err != nil {
		return false, fmt.Errorf("note the result of an analysis: %w", err)
	}
	return rows > 0, nil
}
