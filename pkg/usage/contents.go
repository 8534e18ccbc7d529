package usage

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"masthead/pkg/identity"
)

// Contents are counts of what is stored.
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

// ContentsQuery says what to count.
type ContentsQuery struct {
	// ProjectID leaves out all but what is in a project, unless it is "".
	ProjectID string
	// Only names the counts to make, as columns of Contents. The others stay 0. nil makes all.
	Only []string
	// Max is where counts end, 0 for nowhere.
	Max int
}

// Contents counts what is deleted with the caller's account, or with one of its projects; nothing for a project of
// others.
func (s *Service) Contents(ctx context.Context, caller identity.Caller, of ContentsQuery) (c Contents, err error) {
	const project, undoable = "project_id", "undoable"
	var parts []string
	var args []any
	// A table without a column for the project counts for accounts only.
	count := func(name, table, project, more string) {
		if of.Only != nil && !slices.Contains(of.Only, name) || of.ProjectID != "" && project == "" {
			return
		}
		where, whose := ` FROM `+table+` WHERE owner_id = ?`, []any{caller.UserID}
		if of.ProjectID != "" {
			where += ` AND ` + project + ` = ?`
			whose = append(whose, of.ProjectID)
		}
		limit, except := "", ""
		if of.Max > 0 {
			limit = ` LIMIT ` + strconv.Itoa(of.Max)
		}
		if more == undoable {
			// Few are being deleted. To count them by themselves lets an index count all, of which each row would be read
			// otherwise, or looked up.
			more = ""
			except = ` - (SELECT COUNT(*)` + where + ` AND id IN (SELECT id FROM ` + table + ` WHERE deleting_at IS NOT NULL))`
			args = append(args, whose...)
			if limit != "" {
				limit += strings.Replace(except, "-", "+", 1)
				args = append(args, whose...)
			}
		}
		args = append(args, whose...)
		parts = append(parts, `(SELECT COUNT(*) FROM (SELECT 1`+where+more+limit+`) AS counted)`+except+` AS `+name)
	}
	count("projects", "projects", "id", "")
	count("images", "images", project, undoable)
	count("files", "assets", project, "")
	count("designs", "designs", project, " AND deleting_at IS NULL")
	count("keys", "api_keys", project, "")
	count("webhooks", "webhooks", project, " AND deleting_at IS NULL")
	count("watches", "watches", project, " AND kind = 'page' AND sitemap_id IS NULL AND gone_at IS NULL")
	count("sitemaps", "watches", project, " AND kind = 'sitemap' AND gone_at IS NULL")
	count("reports", "audits", "", undoable)
	count("sites", "sites", "", "")
	if len(parts) == 0 {
		return c, nil
	}
	d := s.store.db
	if of.Max > 0 {
		d = d.Brief()
	}
	if err := d.Get(ctx, &c, `SELECT `+strings.Join(parts, ", "), args...); err != nil {
		return c, fmt.Errorf("count what account %s has: %w", caller.UserID, err)
	}
	return c, nil
}
