package images

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
)

// This file marks images as outdated when something changes that they show, which redraw.go then redraws: in the
// transaction of the change as many as it has time for, the rest in the background. An image that isn't marked yet is
// marked when its page is requested, since its key is another one: see [Service.earlier].

const (
	// markedAtOnce is how many images a statement marks. Postgres takes some 40 ms for them.
	markedAtOnce = 1000
	markTime     = 5 * time.Minute
	markAttempts = 20
	markPause    = 30 * time.Second
)

// Outdater marks images as outdated. Its methods are called in the transactions of changes. It is safe for concurrent
// use.
type Outdater struct {
	db     *db.DB
	events *events.Bus
	queue  *jobs.Queue
}

// NewOutdater returns an Outdater for the images in d, whose jobs are done by w.
func NewOutdater(d *db.DB, w *jobs.Worker, b *events.Bus) *Outdater {
	o := &Outdater{db: d, events: b}
	o.queue = w.Handle("outdated_images", jobs.Work{
		Do: o.run, AtOnce: 1, Time: markTime, Attempts: markAttempts, Pause: jobs.Pauses(markPause),
	})
	return o
}

// change is what makes images of a project outdated: another version of a design, a font of the project's designs, or
// another brand. It is the payload of the job for the rest of them.
type change struct {
	ProjectID string    `json:"projectId"`
	DesignID  string    `json:"designId,omitempty"`
	Family    string    `json:"family,omitempty"`
	Brand     card.Open `json:"brand,omitempty"` // the parts that have changed
	// After is the last image that was marked, in the order of their IDs.
	After string `json:"after,omitempty"`
}

// DesignActivated marks the images of a design: another version of it becomes the active one.
func (o *Outdater) DesignActivated(ctx context.Context, tx *db.Tx, designID string) error {
	var projectID string
	if err := tx.Get(ctx, &projectID, `SELECT project_id FROM designs WHERE id = ?`, designID); err != nil {
		return fmt.Errorf("find the project of design %s: %w", designID, err)
	}
	return o.begin(ctx, tx, change{ProjectID: projectID, DesignID: designID})
}

// FontChanged marks the images of a project for a font of a family that it gets or loses: of the designs that name the
// family, and of the brand if it has it.
func (o *Outdater) FontChanged(ctx context.Context, tx *db.Tx, projectID, family string) error {
	if err := o.begin(ctx, tx, change{ProjectID: projectID, Family: family}); err != nil {
		return err
	}
	rows, err := tx.Exec(ctx, `UPDATE projects SET brand_version = brand_version + 1, updated_at = updated_at + 1
		WHERE id = ? AND (brand_heading_font = ? OR brand_text_font = ?)`, projectID, family, family)
	if err != nil {
		return fmt.Errorf("note the fonts of the brand of project %s: %w", projectID, err)
	}
	if rows == 0 {
		return nil
	}
	return o.begin(ctx, tx, change{ProjectID: projectID, Brand: card.OpenFont})
}

// BrandChanged marks the images of a project that left open what has changed in its brand.
func (o *Outdater) BrandChanged(ctx context.Context, tx *db.Tx, projectID string, was, is projects.Brand) error {
	changed := changedParts(was, is)
	if changed == 0 {
		return nil
	}
	return o.begin(ctx, tx, change{ProjectID: projectID, Brand: changed})
}

// AssetDeleted is BrandChanged for a picture that is deleted, if it is the logo of the brand.
func (o *Outdater) AssetDeleted(ctx context.Context, tx *db.Tx, projectID, assetID string) error {
	rows, err := tx.Exec(ctx, `UPDATE projects SET brand_version = brand_version + 1, updated_at = updated_at + 1
		WHERE id = ? AND brand_logo = ?`, projectID, assetID)
	if err != nil {
		return fmt.Errorf("note the logo of the brand of project %s: %w", projectID, err)
	}
	if rows == 0 {
		return nil
	}
	return o.begin(ctx, tx, change{ProjectID: projectID, Brand: card.OpenLogo})
}

// begin marks the first images of a change, and enqueues a job for the others if there may be any.
func (o *Outdater) begin(ctx context.Context, tx *db.Tx, c change) error {
	c, more, err := c.mark(func(to any, query string, args ...any) error { return tx.Select(ctx, to, query, args...) })
	if err != nil || !more {
		return err
	}
	var ownerID string
	if err := tx.Get(ctx, &ownerID, `SELECT owner_id FROM projects WHERE id = ?`, c.ProjectID); err != nil {
		return fmt.Errorf("find the owner of project %s: %w", c.ProjectID, err)
	}
	return o.queue.Enqueue(ctx, tx, ownerID, db.NewID(), c)
}

// run is a job: it marks the images of a change that are left.
func (o *Outdater) run(ctx context.Context, j *jobs.Job) (jobs.Result, error) {
	var c change
	if err := json.Unmarshal(j.Payload, &c); err != nil {
		return nil, fmt.Errorf("read what makes images outdated: %w", err)
	}
	for more := true; more; {
		var err error
		c, more, err = c.mark(func(to any, query string, args ...any) error {
			return o.db.SelectWrite(ctx, to, query, args...)
		})
		if err != nil {
			return nil, err
		}
		events.ProjectStale.Noticed(o.events, "", events.Project{ProjectId: c.ProjectID}) // what is in memory
	}
	return nil, nil //nolint:nilnil // there is nothing to write
}

// mark marks the next images of a change with a statement, and returns the change for those after them. It may mark
// some that were drawn since the change, which are then redrawn for nothing.
func (c change) mark(write func(to any, query string, args ...any) error) (rest change, more bool, err error) {
	condition, mark, args := `design_id = ? AND design_id <> ''`, redraw{}, []any{c.DesignID}
	switch {
	case c.Brand != 0:
		condition = `project_id = ? AND (left_open & ?) <> 0 AND (redraw = 'null' OR design_id = '')
			AND (ai = 'null' OR ai LIKE '%"fellBack":true%')`
		mark, args = redraw{Brand: true}, []any{c.ProjectID, int64(c.Brand)}
	case c.Family != "":
		condition = `design_id <> '' AND design_id IN (SELECT d.id
			FROM designs d JOIN design_versions v ON v.design_id = d.id AND v.version = d.version
			WHERE d.project_id = ? AND LOWER(v.source) LIKE ?)`
		args = []any{c.ProjectID, "%" + strings.ToLower(c.Family) + "%"}
	}
	var ids []string
	all := append(append([]any{db.JSON[*redraw]{V: &mark}}, args...), c.After, markedAtOnce)
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
