package projects

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"

	"masthead/pkg/db"
)

// checksRow is what is stored of the checks of a project.
type checksRow struct {
	ProjectID string                          `db:"project_id"`
	Checks    db.JSON[map[string]DomainCheck] `db:"checks"`
}

// checks returns what is stored of the domains of projects, by project and domain.
func (s store) checks(ctx context.Context, of []Project) (map[string]map[string]DomainCheck, error) {
	all := map[string]map[string]DomainCheck{}
	if len(of) == 0 {
		return all, nil
	}
	args := make([]any, len(of))
	for i, p := range of {
		args[i] = p.ID
	}
	var rows []checksRow
	err := s.db.Brief().Select(ctx, &rows, `SELECT project_id, checks FROM domain_checks
		WHERE project_id IN (?`+strings.Repeat(", ?", len(args)-1)+`)`, args...)
	if err != nil {
		return nil, fmt.Errorf("find the checks of the domains of %d projects: %w", len(of), err)
	}
	for _, r := range rows {
		all[r.ProjectID] = r.Checks.V
	}
	return all, nil
}

// checked returns a project, with Closed, and the checks of its domains. NotFound if it was deleted.
func (s store) checked(ctx context.Context, id string) (Project, map[string]DomainCheck, error) {
	var r struct {
		row
		Closed bool `db:"closed"`
	}
	err := s.db.Get(ctx, &r, `SELECT `+columns+`,
			(SELECT disabled OR deleting_at IS NOT NULL FROM users WHERE users.id = projects.owner_id) AS closed
		FROM projects WHERE id = ?`, id)
	if err != nil {
		return Project{}, nil, db.Missing(err, noProject, "find project "+id)
	}
	p := r.project()
	p.Closed = r.Closed
	known, err := s.checks(ctx, []Project{p})
	return p, known[id], err
}

// storeChecks stores the checks of a project, and returns its present domains; none if it was deleted.
func storeChecks(ctx context.Context, tx *db.Tx, id string, checks map[string]DomainCheck) ([]string, error) {
	var domains db.JSON[[]string]
	err := tx.Get(ctx, &domains, `SELECT domains FROM projects WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	failing := false
	for _, domain := range domains.V {
		failing = failing || checks[domain].State.failing()
	}
	_, err = tx.Exec(ctx, `INSERT INTO domain_checks (project_id, checks, failing) VALUES (?, ?, ?)
		ON CONFLICT (project_id) DO UPDATE SET checks = excluded.checks, failing = excluded.failing`,
		id, db.JSON[map[string]DomainCheck]{V: checks}, failing)
	return domains.V, err
}

// listFailing is list for projects with a domain that doesn't respond.
func (s store) listFailing(ctx context.Context, ownerID, before string, limit int) ([]Project, error) {
	list, err := db.SelectAs(ctx, s.db, row.project, `SELECT `+columns+` FROM projects
		WHERE owner_id = ? AND id < ? AND EXISTS (SELECT 1 FROM domain_checks
			WHERE domain_checks.project_id = projects.id AND failing)
		ORDER BY id DESC LIMIT ?`, ownerID, before, limit)
	if err != nil {
		return nil, fmt.Errorf("list the projects of account %s with a domain that doesn't respond: %w", ownerID, err)
	}
	return list, nil
}
