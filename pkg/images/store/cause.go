package store

import (
	"fmt"
	"strings"

	"masthead/pkg/card"
	"masthead/pkg/db"
)

// markedAtOnce is how many images a statement marks. Postgres takes some 40 ms for them.
const markedAtOnce = 1000

// Cause is what makes images of a project outdated: another version of a design, a font of the project's designs, or
// another brand. It is the payload of the job for the rest of them.
type Cause struct {
	ProjectID string    `json:"projectId"`
	DesignID  string    `json:"designId,omitempty"`
	Family    string    `json:"family,omitempty"`
	Brand     card.Open `json:"brand,omitempty"` // the parts that have changed
	// After is the last image that was marked, in the order of their IDs.
	After string `json:"after,omitempty"`
}

// Mark marks the next images with a statement, and returns the cause for those after them. It may mark some that were
// drawn since the change, which are then redrawn for nothing.
func (c Cause) Mark(write func(to any, query string, args ...any) error) (rest Cause, more bool, err error) {
	condition, mark, args := `design_id = ? AND design_id <> ''`, Redraw{}, []any{c.DesignID}
	switch {
	case c.Brand != 0:
		condition = `project_id = ? AND (left_open & ?) <> 0 AND (redraw = 'null' OR design_id = '')
			AND (ai = 'null' OR ai LIKE '%"fellBack":true%')`
		mark, args = Redraw{Brand: true}, []any{c.ProjectID, int64(c.Brand)}
	case c.Family != "":
		condition = `design_id <> '' AND design_id IN (SELECT d.id
			FROM designs d JOIN design_versions v ON v.design_id = d.id AND v.version = d.version
			WHERE d.project_id = ? AND LOWER(v.source) LIKE ?)`
		args = []any{c.ProjectID, "%" + strings.ToLower(c.Family) + "%"}
	}
	var ids []string
	all := append(append([]any{db.JSON[*Redraw]{V: &mark}}, args...), c.After, markedAtOnce)
	err = write(&ids, `UPDATE images SET redraw = ? WHERE id IN (SELECT id FROM images WHERE `+condition+`
		AND id > ? ORDER BY id LIMIT ?) RETURNING id`, all...)
	if err != nil {
		return c, false, fmt.Errorf("mark outdated images of project %s: %w", c.ProjectID, err)
	}
	for _, id := range ids {
		c.After = max(c.After, id)
	}
	return c, len(ids) == markedAtOnce, nil
}
