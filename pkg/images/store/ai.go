package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"

	"masthead/pkg/apperr"
	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/files"
)

// Why a card was drawn without the AI picture that was asked for. They are part of the API.
const (
	ReasonQuota    = "quota"    // the month has no unit left
	ReasonProvider = "provider" // it failed, took too long, or gave what no card can be made of
	ReasonPolicy   = "policy"   // it refused the prompt
	ReasonPlan     = "plan"     // the plan has no such model
	ReasonOff      = "off"      // no such model is configured
	ReasonTemplate = "template" // the design takes no AI picture
)

// AIResult is what came of asking for AI.
type AIResult struct {
	Model  string `json:"model"`
	Prompt string `json:"prompt,omitempty"`
	// OwnPrompt and Override are those of the request.
	OwnPrompt      string `json:"ownPrompt,omitempty"`
	Override       bool   `json:"override,omitempty"`
	FellBack       bool   `json:"fellBack"`
	FallbackReason string `json:"fallbackReason,omitempty"`
	// Marked says that the file tells of its AI picture.
	Marked bool `json:"marked,omitempty"`
	// From is the image whose picture this one has, or "".
	From string `json:"from,omitempty"`
}

// willBeBetter says whether the same request may get an AI picture soon.
func (r AIResult) willBeBetter() bool {
	switch r.FallbackReason {
	case ReasonQuota, ReasonProvider, ReasonPlan:
		return r.FellBack
	}
	return false
}

// BackgroundName is the file of an AI picture. It has no address in any record.
const BackgroundName = "background.jpg"

// ErrNoAIPicture says that there is no AI picture to use again.
var ErrNoAIPicture = apperr.Invalid("/ai/from",
	"There is no image with this id in the project that has an AI picture. GET /images lists them: ai.fellBack is false.")

// Background is the AI picture of an image.
type Background struct {
	blob.Name
	AI db.JSON[*AIResult] `db:"ai"`
}

// Background returns the AI picture of an image of a project of the owner.
func (s Store) Background(ctx context.Context, ownerID, projectID, id string) (kept Background, err error) {
	err = s.db.Get(ctx, &kept, `SELECT b.digest, b.name, i.ai FROM image_backgrounds b JOIN images i ON i.id = b.image_id
		WHERE i.id = ? AND i.project_id = ? AND i.owner_id = ?`, id, projectID, ownerID)
	if errors.Is(err, sql.ErrNoRows) {
		return kept, ErrNoAIPicture
	}
	if err != nil {
		return kept, fmt.Errorf("find the AI picture of image %s: %w", id, err)
	}
	return kept, nil
}

// SetBackground gives an image, whose row tx holds, an AI picture in place of its old one; nil is none. One that the
// account has no room for, with limit bytes for all that counts, isn't kept: then other images can't have it.
func SetBackground(ctx context.Context, tx *db.Tx, ledger *files.Store, of Image, kept *File, limit int64) error {
	drop := func() error {
		if _, err := tx.Exec(ctx, `DELETE FROM image_backgrounds WHERE image_id = ?`, of.ID); err != nil {
			return fmt.Errorf("remove the AI picture of image %s: %w", of.ID, err)
		}
		return nil
	}
	if err := drop(); err != nil || kept == nil {
		return err
	}
	_, err := tx.Exec(ctx, `INSERT INTO image_backgrounds (image_id, digest, name, size) VALUES (?, ?, ?, ?)`,
		of.ID, kept.Digest, kept.Name, kept.SizeBytes)
	if err != nil {
		return fmt.Errorf("keep the AI picture of image %s: %w", of.ID, err)
	}
	fits, err := ledger.Fits(ctx, tx, of.OwnerID, limit)
	if err != nil || fits {
		return err
	}
	slog.InfoContext(ctx, "an AI picture is not kept for other images: its account has no room", "image", of.ID)
	return drop()
}

// DropBackground forgets an AI picture whose file is lost: asking for it again would cost a unit.
func (s Store) DropBackground(ctx context.Context, imageID string, n blob.Name) error {
	_, err := s.db.Exec(ctx, `DELETE FROM image_backgrounds WHERE image_id = ? AND digest = ?`, imageID, n.Digest)
	if err != nil {
		return fmt.Errorf("forget the AI picture of image %s: %w", imageID, err)
	}
	return nil
}
