package moduletest_test

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"sync"
	"testing"

	"masthead/pkg/apperr"
	"masthead/pkg/audit"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/picture"
)

// TestShownFile_isDrawnAtTheFirstRequest, once for all requests. Until then the site's file is stored, and not served.
func TestShownFile_isDrawnAtTheFirstRequest(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		k := newKeeping(t, d, audit.Config{})
		r := k.made(t)
		shown := r.Picture(audit.ShareImage).Shown
		if shown == nil || shown.Name != "share.jpg" || shown.Width != 1200 || shown.Height != 630 {
			t.Fatalf("got %+v, want the share image with its size", shown)
		}
		site := bytes.Clone(shown.Data)
		for _, name := range []string{"share.bin", "share-jpg.bin", "share.png", "share", ".jpg", "x.jpg"} {
			if _, _, err := k.ShownFile(t.Context(), r.ID, name); apperr.CodeOf(err) != apperr.NotFound {
				t.Errorf("%s: got %v, want that there is none", name, err)
			}
		}
		var first []byte
		var work sync.WaitGroup
		var mu sync.Mutex
		for range 4 {
			work.Go(func() {
				data, _, err := k.ShownFile(context.Background(), r.ID, "share.jpg")
				mu.Lock()
				defer mu.Unlock()
				if first == nil {
					first = data
				}
				if err != nil || !bytes.Equal(data, first) {
					t.Errorf("got %d bytes, %v, want the same picture as the others", len(data), err)
				}
			})
		}
		work.Wait()
		if bytes.Equal(first, site) {
			t.Error("the file of the site is served")
		}
		if facts, err := picture.Inspect(first); err != nil || facts.Format != picture.JPEG || facts.Width != 1200 {
			t.Errorf("got %+v, %v, want a JPEG", facts, err)
		}
		if got := k.rows(t, "audit_files"); got != 2 {
			t.Errorf("the report has %d files, want 2: the drawn picture in place of the site's file", got)
		}
		if got := k.shown(t, r.ID); got != 2 {
			t.Errorf("the report shows %d pictures, want 2", got)
		}
	})
}

// TestShownFile_otherNode finds that another one has drawn the picture, or deleted the report, in the meantime.
func TestShownFile_otherNode(t *testing.T) {
	k := newKeeping(t, dbtest.SQLite(t), audit.Config{})
	r := k.made(t)
	k.files.written = func() {
		k.files.written = nil
		if _, _, err := k.ShownFile(t.Context(), r.ID, "share.png"); apperr.CodeOf(err) != apperr.NotFound {
			t.Error(err)
		}
		if _, err := k.db.Exec(t.Context(), `DELETE FROM audits`); err != nil {
			t.Error(err)
		}
	}
	if _, _, err := k.ShownFile(t.Context(), r.ID, "share.jpg"); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("got %v, want that the picture is gone with its report", err)
	}
	if got := k.rows(t, "audit_files"); got != 0 {
		t.Errorf("%d files of a deleted report are left", got)
	}
}

// TestShownFile_damaged: a file with a good header and bad pixels is noticed when it is drawn, and not shown again.
func TestShownFile_damaged(t *testing.T) {
	noise := auditFlat(640, 336, nil)
	for i := range noise.Pix {
		noise.Pix[i] = byte(i * i >> 3)
	}
	cut := auditPngOf(t, noise)
	cut.body = cut.body[:len(cut.body)/2]
	at, scraper := serve(t, map[string]auditFile{"/": htmlOf(tagged), "/share.jpg": cut})
	k := newKeepingOf(t, dbtest.SQLite(t), audit.Config{}, at("/").String(), scraper)
	r := k.made(t)
	if p := r.Picture(audit.ShareImage); p.Shown == nil {
		t.Fatalf("got %+v, want a picture to be drawn later", p)
	}
	for range 2 {
		if _, _, err := k.ShownFile(t.Context(), r.ID, "share.png"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("got %v, want that there is no such picture", err)
		}
	}
	again, err := k.Get(t.Context(), identity.Caller{}, r.ID)
	if err != nil || again.Picture(audit.ShareImage).Shown != nil {
		t.Errorf("got %v, want a report without the picture", err)
	}
}

// TestShownFile_format is told before the picture is drawn.
func TestShownFile_format(t *testing.T) {
	noise := image.NewNRGBA(image.Rect(0, 0, 420, 300))
	state := uint32(1)
	for i := range noise.Pix {
		state = state*1664525 + 1013904223
		noise.Pix[i] = byte(state >> 24)
		if i%4 == 3 {
			noise.Pix[i] = 255
		}
	}
	clear := image.NewNRGBA(noise.Rect)
	copy(clear.Pix, noise.Pix)
	clear.SetNRGBA(0, 0, color.NRGBA{})
	large := image.NewNRGBA(image.Rect(0, 0, 900, 630))
	for i := range large.Pix {
		large.Pix[i] = noise.Pix[i%len(noise.Pix)]
	}
	for name, c := range map[string]struct {
		file auditFile
		want string
	}{
		"a photograph of 1.6 MB": {auditPngOf(t, large), "share.jpg"},
		"a JPEG":                 {jpegOf(t, noise), "share.jpg"}, "a flat " +
			"PNG": {auditPngOf(t, auditFlat(600, 315, nil)), "share.png"},
		"a photograph as a PNG": {auditPngOf(t, noise), "share.jpg"}, "a transparent " +
			"PNG": {auditPngOf(t, clear), "share.png"},
	} {
		at, scraper := serve(t, map[string]auditFile{"/": htmlOf(tagged), "/share.jpg": c.file})
		k := newKeepingOf(t, dbtest.SQLite(t), audit.Config{}, at("/").String(), scraper)
		r := k.made(t)
		shown := r.Picture(audit.ShareImage).Shown
		if shown == nil || shown.Name != c.want || !shown.Later {
			t.Errorf("%s: got %+v, want %s", name, shown, c.want)
			continue
		}
		data, _, err := k.ShownFile(t.Context(), r.ID, shown.Name)
		facts, _ := picture.Inspect(data)
		if err != nil || "share."+map[picture.Format]string{picture.PNG: "png", picture.JPEG: "jpg"}[facts.Format] != c.want {
			t.Errorf("%s: got %v, %v, want %s", name, facts.Format, err, c.want)
		}
	}
}
