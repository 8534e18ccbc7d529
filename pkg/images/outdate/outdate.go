// Package outdate marks images as outdated when something changes that they show, in the transaction of the change as
// many as it has time for, the rest in the background. Package images redraws them. An image that isn't marked yet is
// marked when its page is requested, since its key is another one.
package outdate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"masthead/pkg/card"
	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/images/store"
	"masthead/pkg/jobs"
	"masthead/pkg/projects"
	"masthead/render"
)

const (
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

// New returns an Outdater for the images in d, whose jobs are done by w.
func New(d *db.DB, w *jobs.Worker, b *events.Bus) *Outdater {
	o := &Outdater{db: d, events: b}
	o.queue = w.Handle("outdated_images", jobs.Work{
		Do: o.run, AtOnce: 1, Time: markTime, Attempts: markAttempts, Pause: jobs.Pauses(markPause),
	})
	return o
}

// DesignActivated marks the images of a design: another version of it becomes the active one.
func (o *Outdater) DesignActivated(ctx context.Context, tx *db.Tx, designID string) error {
	var projectID string
	if err := tx.Get(ctx, &projectID, `SELECT project_id FROM designs WHERE id = ?`, designID); err != nil {
		return fmt.Errorf("find the project of design %s: %w", designID, err)
	}
	return o.begin(ctx, tx, store.Cause{ProjectID: projectID, DesignID: designID})
}

// FontChanged marks the images of a project for a font of a family that it gets or loses: of the designs that name the
// family, and of the brand if it has it.
func (o *Outdater) FontChanged(ctx context.Context, tx *db.Tx, projectID, family string) error {
	if err := o.begin(ctx, tx, store.Cause{ProjectID: projectID, Family: family}); err != nil {
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
	return o.begin(ctx, tx, store.Cause{ProjectID: projectID, Brand: card.OpenFont})
}

// BrandChanged marks the images of a project that left open what has changed in its brand.
func (o *Outdater) BrandChanged(ctx context.Context, tx *db.Tx, projectID string, was, is projects.Brand) error {
	changed := changedParts(was, is)
	if changed == 0 {
		return nil
	}
	return o.begin(ctx, tx, store.Cause{ProjectID: projectID, Brand: changed})
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
	return o.begin(ctx, tx, store.Cause{ProjectID: projectID, Brand: card.OpenLogo})
}

// changedParts returns what requests may leave open that differs between two brands.
func changedParts(was, is projects.Brand) (changed card.Open) {
	if cmp.Or(was.Template, render.DefaultTemplate) != cmp.Or(is.Template, render.DefaultTemplate) {
		changed |= card.OpenTemplate
	}
	if was.Accent != is.Accent {
		changed |= card.OpenAccent
	}
	if was.LogoFile != is.LogoFile || is.LogoFile != "" && was.LogoPosition != is.LogoPosition {
		changed |= card.OpenLogo
	}
	if was.HeadingFont != is.HeadingFont || was.TextFont != is.TextFont {
		changed |= card.OpenFont
	}
	return changed
}

// begin marks the first images of a change, and enqueues a job for the others if there may be any.
func (o *Outdater) begin(ctx context.Context, tx *db.Tx, c store.Cause) error {
	c, more, err := c.Mark(func(to any, query string, args ...any) error { return tx.Select(ctx, to, query, args...) })
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
	var c store.Cause
	if err := json.Unmarshal(j.Payload, &c); err != nil {
		return nil, fmt.Errorf("read what makes images outdated: %w", err)
	}
	for more := true; more; {
		var err error
		c, more, err = c.Mark(func(to any, query string, args ...any) error {
			return o.db.SelectWrite(ctx, to, query, args...)
		})
		if err != nil {
			return nil, err
		}
		events.ProjectStale.Noticed(o.events, "", events.Project{ProjectId: c.ProjectID}) // what is in memory
	}
	return nil, nil //nolint:nilnil // there is nothing to write
}
