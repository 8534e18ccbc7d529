package projects

import (
	"context"
	"fmt"
	"strings"
)

// Outdated returns how many images of projects are still to be redrawn with the present brand or the active version of
// their design, by project. Those with an AI picture aren't redrawn.
func (s *Service) Outdated(ctx context.Context, of []Project) (map[string]int, error) {
	all := map[string]int{}
	if len(of) == 0 {
		return all, nil
	}
	args := make([]any, len(of))
	for i, p := range of {
		args[i] = p.ID
	}
	var rows []struct {
		ProjectID string `db:"project_id"`
		Images    int    `db:"images"`
	}
	err := s.store.db.Select(ctx, &rows, `SELECT project_id, COUNT(*) AS images FROM images
		WHERE project_id IN (?`+strings.Repeat(", ?", len(args)-1)+`) AND redraw <> 'null' AND deleting_at IS NULL
			AND (left_open IS NOT NULL OR design_id <> '') AND (ai = 'null' OR ai LIKE '%"fellBack":true%')
		GROUP BY project_id`, args...)
	if err != nil {
		return nil, fmt.Errorf("count the outdated images of %d projects: %w", len(of), err)
	}
	for _, r := range rows {
		all[r.ProjectID] = r.Images
	}
	return all, nil
}
