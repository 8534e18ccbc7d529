package usage

import (
	"context"
	"fmt"
	"strconv"

	"masthead/pkg/identity"
)

// maxContents is where counts of contents end.
const maxContents = 10_000

// Contents are counts of what is stored, each at most maxContents.
type Contents struct {
	Projects int `db:"projects"`
	Images   int `db:"images"`
	Files    int `db:"files"`
	Designs  int `db:"designs"`
	Keys     int `db:"keys"`
	Webhooks int `db:"webhooks"`
	Watches  int `db:"watches"`
	Sitemaps int `db:"sitemaps"`
	Reports  int `db:"reports"`
	Sites    int `db:"sites"`
}

// Contents counts what is deleted with the caller's account, or with one of its projects; nothing for a project of
// others.
func (s *Service) Contents(ctx context.Context, caller identity.Caller, projectID string) (c Contents, err error) {
	count := func(table, project, more string) string {
		where := table + `.owner_id = ?`
		if projectID != "" {
			where += ` AND ` + table + `.` + project + ` = ?`
		}
		return `(SELECT COUNT(*) FROM (SELECT 1 FROM ` + table + ` WHERE ` + where + more +
			` LIMIT ` + strconv.Itoa(maxContents) + `) AS counted)`
	}
	const project = "project_id"
	// Few are being deleted. To look for them lets an index count the others, of which each row would be read otherwise.
	kept := func(table string) string {
		return " AND id NOT IN (SELECT id FROM " + table + " WHERE deleting_at IS NOT NULL)"
	}
	parts := []struct{ name, query string }{
		{"projects", count("projects", "id", "")}, {"images", count("images", project, kept("images"))},
		{"files", count("assets", project, "")}, {"designs", count("designs", project, " AND deleting_at IS NULL")},
		{"keys", count("api_keys", project, "")}, {"webhooks", count("webhooks", project, " AND deleting_at IS NULL")},
		{"watches", count("watches", project, " AND kind = 'page' AND sitemap_id IS NULL AND gone_at IS NULL")},
		{"sitemaps", count("watches", project, " AND kind = 'sitemap' AND gone_at IS NULL")},
	}
	query, args := "SELECT ", []any(nil)
	for _, part := range parts {
		query += part.query + " AS " + part.name + ", "
		if args = append(args, caller.UserID); projectID != "" {
			args = append(args, projectID)
		}
	}
	if projectID == "" {
		query += count("audits", "", kept("audits")) + " AS reports, " + count("sites", "", "") + " AS sites"
		args = append(args, caller.UserID, caller.UserID)
	} else {
		query += "0 AS reports, 0 AS sites"
	}
	if err := s.store.db.Get(ctx, &c, query, args...); err != nil {
		return c, fmt.Errorf("count what account %s has: %w", caller.UserID, err)
	}
	return c, nil
}
