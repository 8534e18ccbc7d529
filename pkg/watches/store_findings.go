package watches

import (
	"context"
	"fmt"
	"strings"

	"masthead/pkg/db"
)

// findingRow is a Finding as it is stored.
type findingRow struct {
	ID       string         `db:"id"`
	Subject  string         `db:"subject"`
	Severity string         `db:"severity"`
	Told     bool           `db:"told"`
	Words    db.JSON[words] `db:"words"`
	Since    db.Millis      `db:"since"`
	Until    db.Millis      `db:"until"`
}

const findingColumns = `id, subject, severity, told, words, since, until`

func (r findingRow) finding() Finding {
	return Finding{
		Subject: r.Subject, Severity: r.Severity, Told: r.Told, Since: r.Since.Time, Until: r.Until.Time, id: r.ID,
		words: r.Words.V,
	}
}

// openFindings returns what is wrong with a page, by subject.
func openFindings(ctx context.Context, tx *db.Tx, id string) (map[string]Finding, error) {
	var rows []findingRow
	err := tx.Select(ctx, &rows, `SELECT `+findingColumns+` FROM watch_findings WHERE watch_id = ? AND until IS NULL`, id)
	if err != nil {
		return nil, fmt.Errorf("list the findings of watched page %s: %w", id, err)
	}
	open := map[string]Finding{}
	for _, r := range rows {
		open[r.Subject] = r.finding()
	}
	return open, nil
}

// problems returns the latest open findings of each watch of a list, by its ID: those that its owner is told of, or
// would be.
func (s store) problems(ctx context.Context, ownerID string, list []Watch, most int) (map[string][]Finding, error) {
	var rows []struct {
		findingRow

		WatchID string `db:"watch_id"`
	}
	args := make([]any, len(list))
	for i := range list {
		args[i] = list[i].ID
	}
	err := s.db.Brief().Select(ctx, &rows, `SELECT watch_id, `+findingColumns+` FROM watch_findings
		WHERE watch_id IN (?`+strings.Repeat(`, ?`, len(list)-1)+`)
		AND until IS NULL AND (severity = 'error' OR subject = 'favicon') ORDER BY since DESC, id`, args...)
	if err != nil {
		return nil, fmt.Errorf("list the problems of the watched pages of account %s: %w", ownerID, err)
	}
	by := map[string][]Finding{}
	for _, r := range rows {
		if len(by[r.WatchID]) < most {
			by[r.WatchID] = append(by[r.WatchID], r.finding())
		}
	}
	return by, nil
}

// findings returns the latest findings of a watch, open ones first.
func (s store) findings(ctx context.Context, id string, most int) ([]Finding, error) {
	return s.selectFindings(ctx, id, `ORDER BY CASE WHEN until IS NULL THEN 0 ELSE 1 END, since DESC, id LIMIT ?`, most)
}

func (s store) selectFindings(ctx context.Context, id, which string, most int) ([]Finding, error) {
	list, err := db.SelectAs(ctx, s.db, findingRow.finding,
		`SELECT `+findingColumns+` FROM watch_findings WHERE watch_id = ? `+which, id, most)
	if err != nil {
		return nil, fmt.Errorf("list the findings of watched page %s: %w", id, err)
	}
	return list, nil
}
