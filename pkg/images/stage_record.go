package images

import (
	"context"
	"errors"

	"masthead/pkg/base62"
	"masthead/pkg/db"
)

// keepRecord keeps the image, whose files are there, and makes the answer.
func (s *Service) keepRecord(ctx context.Context, j *job) error {
	r, now := j.request, millis(s.now())
	fresh := imageRow{
		ID: db.NewID(), PublicID: base62.Random(publicIDLength), CacheKey: j.key,
		OwnerID:   j.caller.UserID,
		ProjectID: r.ProjectID, Kind: r.Kind, URL: r.URL, Template: r.Template,
		Style: db.JSON[Style]{V: r.Style}, AI: db.JSON[*AIResult]{V: j.ai}, Page: db.JSON[PageData]{V: j.page},
		Alt: altText(j.drawn[0].Title, j.drawn[0].SiteName, hostOf(r.parsed.page)), CreatedAt: now, UpdatedAt: now,
		Files: j.files,
	}
	seen := &j.seen
	if r.Force {
		seen = nil
	}
	for {
		saved, err := s.store.save(ctx, fresh, seen, millis(now.Add(keepTime)),
			func(tx *db.Tx) error { return j.commitIn(ctx, tx) })
		if err == nil {
			j.record, j.saved = s.record(saved), true
			j.record.Generation = s.now().Sub(j.began)
			return nil
		}
		if errors.Is(err, errOvertaken) {
			// A forced job that ran beside this one, and whose page may be newer: its picture stays.
			if err := s.lookAgain(ctx, j); err != nil || j.done {
				s.asNew(j)
				return err
			}
			continue // it was deleted or lost since
		}
		if !errors.Is(err, errFileGone) {
			return err
		}
		// Another image named the file, was deleted since, and a sweep took it along.
		if err := s.keepFiles(ctx, j); err != nil {
			return err
		}
		fresh.Files = j.files
	}
}

func (j *job) commitIn(ctx context.Context, tx *db.Tx) error {
	for _, commit := range j.commit {
		if err := commit(ctx, tx); err != nil {
			return err
		}
	}
	return nil
}
