package moduletest_test

import (
	"archive/zip"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/blob"
	"masthead/pkg/db"
)

const path = "/users/me/export"

// exported requests an export, waits for it, and returns its files by name.
func exported(t *testing.T, h *apptest.Service, s apptest.Session) map[string][]byte {
	t.Helper()
	me := apptest.Bearer(s.Access)
	begun := h.Post(path, nil, me).Want(http.StatusAccepted)
	var ready *apptest.Response
	apptest.WaitFor(t, "the export", func() bool {
		ready = h.Get(path+"/"+begun.Text("id"), me).Want(http.StatusOK)
		return ready.Text("state") == "READY"
	})
	file := h.Get(ready.Path("fileUrl"), me).Want(http.StatusOK)
	if got := int(ready.Value("size").(float64)); got != len(file.Body) {
		t.Errorf("got %d bytes of %d", len(file.Body), got)
	}
	z, err := zip.NewReader(bytes.NewReader(file.Body), int64(len(file.Body)))
	if err != nil {
		t.Fatal(err)
	}
	files := map[string][]byte{}
	for _, f := range z.File {
		r, err := f.Open()
		if err != nil {
			t.Fatal(err)
		}
		if files[f.Name], err = io.ReadAll(r); err != nil {
			t.Fatal(err)
		}
	}
	return files
}

// rows reads a table of an export.
func rows(t *testing.T, files map[string][]byte, table string) (list []map[string]any) {
	t.Helper()
	if err := json.Unmarshal(files[table+".json"], &list); err != nil {
		t.Fatalf("%s: %v: %.300q", table, err, files[table+".json"])
	}
	return list
}

// TestExport_hasAllOfTheAccountAndNothingOfOthers fills two accounts with the same things, and searches the export of
// one for what is in the API's answers, and for secrets and the other's names and ids.
func TestExport_hasAllOfTheAccountAndNothingOfOthers(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		type account struct {
			apptest.Session
			ids, secrets []string
			image        *apptest.Response
			audit        *apptest.Response
		}
		fill := func(name string) (a account) {
			a.Session = h.Register()
			me := apptest.Bearer(a.Access)
			h.Send("PATCH", "/users/me", map[string]any{"name": name}, me).Want(http.StatusOK)
			project := h.Post("/projects", map[string]any{"name": "Blog of " + name}, me).Want(http.StatusCreated)
			key := h.Post("/keys", map[string]any{"name": "key of " + name, "projectId": project.Text("id")}, me).
				Want(http.StatusCreated)
			a.image = h.Post("/images/generate", map[string]any{"url": h.Site.At("/page/one"), "projectId": project.Text("id")},
				apptest.Bearer(key.Text("secret"))).Want(http.StatusOK)
			a.audit = h.Post("/audits", map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusOK)
			logo := h.Post("/projects/"+project.Text("id")+"/assets?name=Logo", `<svg xmlns="http://www.w3.org/2000/svg" `+
				`viewBox="0 0 20 10"><path d="M0 0h20v10z" fill="#c00"/></svg>`, me).Want(http.StatusCreated)
			hook := h.Post("/webhooks", map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusCreated)
			watch := h.Post("/watches", map[string]any{"url": h.Site.At("/page/one")}, me).Want(http.StatusCreated)
			design := h.Post("/designs", map[string]any{"projectId": project.Text("id"), "slug": "own", "html": "<b>{{title}}"},
				me).Want(http.StatusCreated)
			totp := h.Post("/users/me/totp", nil, me).Want(http.StatusCreated)
			a.ids = []string{
				a.Email, name, h.ID(a.Session), project.Text("id"), project.Text("publicId"), "Blog of " + name,
				key.Text("id"), "key of " + name, a.image.Text("id"), a.image.Text("publicId"), a.audit.Text("id"),
				hook.Text("id"), watch.Text("id"), "assets/" + logo.Text("id") + "/asset.png", design.Text("id"),
			}
			a.secrets = []string{a.Password, a.Access, a.Refresh, key.Text("secret"), hook.Text("secret"), totp.Text("secret")}
			return a
		}
		ada, eve := fill("Ada Lovelace"), fill("Eve Eavesdropper")
		files := exported(t, h, ada.Session)
		var all strings.Builder
		for name, content := range files {
			fmt.Fprintln(&all, name)
			if strings.HasSuffix(name, ".json") {
				all.Write(content)
			}
		}
		for _, id := range ada.ids {
			if !strings.Contains(all.String(), id) {
				t.Errorf("%s isn't in the export", id)
			}
		}
		for _, foreign := range slices.Concat(eve.ids, eve.secrets, ada.secrets) {
			if strings.Contains(all.String(), foreign) {
				t.Errorf("%s is in the export", foreign)
			}
		}
		for _, table := range []string{
			"users", "sessions", "projects", "api_keys", "images", "image_files", "assets", "designs", "design_versions", "audits", "webhooks", "watches", "totp",
			"audit_events", "sign_in_places",
		} {
			if len(rows(t, files, table)) == 0 {
				t.Errorf("%s is empty", table)
			}
		}
		user := rows(t, files, "users")[0]
		created, err := time.Parse("2006-01-02T15:04:05.000Z", user["created_at"].(string))
		if err != nil || time.Since(created).Abs() > time.Minute || user["disabled"] != false || user["gift_until"] != nil {
			t.Errorf("got the account %v (%v)", user, err)
		}
		if style, ok := rows(t, files, "images")[0]["style"].(map[string]any); !ok {
			t.Errorf("the style of an image isn't an object: %v", style)
		}
		picture := h.Get(ada.image.Path("imageUrl")).Want(http.StatusOK).Body
		name := "images/" + ada.image.Text("id") + "/" + rows(t, files, "image_files")[0]["name"].(string)
		if !bytes.Equal(files[name], picture) {
			t.Errorf("%s has %d bytes, want the image with %d", name, len(files[name]), len(picture))
		}
	})
}

// TestExport_isItsOwnersForADay asks for one again, as somebody else, and later.
func TestExport_isItsOwnersForADay(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner := h.Register()
		me := apptest.Bearer(owner.Access)
		exported(t, h, owner)
		first := h.Post(path, nil, me).Want(http.StatusAccepted)
		if first.Text("state") != "READY" {
			t.Errorf("a second request within the hour got %s, want the one that is there", first.Body)
		}
		stranger := apptest.Bearer(h.Register().Access)
		for _, at := range []string{path + "/" + first.Text("id"), first.Path("fileUrl")} {
			h.Get(at, stranger).WantProblem(http.StatusNotFound, "NOT_FOUND")
			h.Get(at).Want(http.StatusUnauthorized)
		}
		store, err := blob.OpenDisk(blob.Config{Dir: filepath.Join(h.Config.DataDir, "exports")})
		if err != nil {
			t.Fatal(err)
		}
		count := func() (n int) {
			t.Helper()
			for i := range 256 {
				names, err := store.List(t.Context(), fmt.Sprintf("%02x", i))
				if err != nil {
					t.Fatal(err)
				}
				n += len(names)
			}
			return n
		}
		sweep := func(after time.Duration) {
			h.App.Exports.SetNow(func() time.Time { return time.Now().Add(after) })
			if err := h.App.Exports.Sweep(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		// What killed attempts left is deleted an hour later.
		left := blob.Name{Digest: strings.Repeat("0", 64), File: "killed-1.part"}
		if err := store.Put(t.Context(), left, []byte("half")); err != nil {
			t.Fatal(err)
		}
		for _, id := range []string{first.Text("id"), "gone"} {
			_, err = h.App.DB.Exec(t.Context(), `INSERT INTO export_parts (export_id, attempt, number, digest, written_at)
				VALUES (?, 'killed', 1, ?, ?)`, id, left.Digest, db.Millis{Time: time.Now()})
			if err != nil {
				t.Fatal(err)
			}
		}
		sweep(59 * time.Minute)
		if got := count(); got != 2 {
			t.Errorf("got %d files, want the export and the one that may be being written", got)
		}
		sweep(23 * time.Hour)
		if got := count(); got != 1 {
			t.Errorf("got %d files, want the export", got)
		}
		h.Get(first.Path("fileUrl"), me).Want(http.StatusOK)
		sweep(24*time.Hour + time.Minute)
		h.Get(first.Path("fileUrl"), me).WantProblem(http.StatusNotFound, "NOT_FOUND")
		if got := count(); got != 0 {
			t.Errorf("got %d files, want none", got)
		}
		// That of a deleted account goes with it.
		h.App.Exports.SetNow(time.Now)
		exported(t, h, owner)
		h.Send("DELETE", "/users/me", nil, me).Want(http.StatusNoContent)
		sweep(time.Hour + time.Minute)
		if got := count(); got != 0 {
			t.Errorf("got %d files of a deleted account, want none", got)
		}
	})
}

// TestExport_endIsAnEvent has one that took two minutes, of which its owner is told, and then given up.
func TestExport_endIsAnEvent(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner := h.Register()
		me, id := apptest.Bearer(owner.Access), h.ID(owner)
		sent := func() (data []string) {
			err := h.App.DB.Select(t.Context(), &data,
				`SELECT data FROM mails WHERE user_id = ? AND kind = 'export_completed'`, id)
			if err != nil {
				t.Fatal(err)
			}
			return data
		}
		_, err := h.App.DB.Exec(t.Context(), `UPDATE users SET email_confirmed_at = 1 WHERE id = ?`, id)
		if err != nil {
			t.Fatal(err)
		}
		h.App.Exports.SetNow(func() time.Time { return time.Now().Add(-2 * time.Minute) })
		exported(t, h, owner)
		apptest.WaitFor(t, "the mail", func() bool { return len(sent()) == 1 })
		if page := h.Get("/notifications", me).Text("items.0.path"); !strings.HasPrefix(page, "/dashboard/settings?export=") {
			t.Errorf("the notification leads to %q", page)
		}
		exec := func(statement string, args ...any) {
			if _, err := h.App.DB.Exec(t.Context(), statement, args...); err != nil {
				t.Fatal(err)
			}
		}
		exec(`DELETE FROM notifications WHERE user_id = ?`, id)
		first := h.Post(path, nil, me).Want(http.StatusAccepted)
		if err := h.App.Exports.GiveUp(t.Context(), first.Text("id")); err != nil {
			t.Fatal(err)
		}
		if state := h.Get(path+"/"+first.Text("id"), me).Text("state"); state != "FAILED" {
			t.Errorf("got the state %s of one that was given up", state)
		}
		apptest.WaitFor(t, "the notification", func() bool {
			return h.Get("/notifications?limit=1", me).Text("items.0.title") == "Your export failed"
		})
		if err := h.App.Exports.GiveUp(t.Context(), apptest.Nobody); err != nil { // of a deleted account
			t.Error(err)
		}
	})
}

// TestExport_partsAreOneZip has a zip of many parts, one of which is damaged, and then lost.
func TestExport_partsAreOneZip(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		h.App.Exports.SetPartBytes(1000)
		owner := h.Register()
		me := apptest.Bearer(owner.Access)
		if files := exported(t, h, owner); len(rows(t, files, "users")) != 1 {
			t.Errorf("got %s", files["users.json"])
		}
		first := h.Post(path, nil, me).Want(http.StatusAccepted)
		var parts []string
		if err := h.App.DB.Select(t.Context(), &parts, `SELECT digest FROM export_parts ORDER BY number`); err != nil {
			t.Fatal(err)
		}
		if size := int(first.Value("size").(float64)); len(parts) < 3 || len(parts) != (size+999)/1000 {
			t.Errorf("got %d parts of %d bytes", len(parts), size)
		}
		found, err := filepath.Glob(filepath.Join(h.Config.DataDir, "exports", "??", parts[0]+".*"))
		if err != nil || len(found) != 1 {
			t.Fatalf("got the files %v (%v)", found, err)
		}
		if err := os.WriteFile(found[0], []byte("damaged"), 0o600); err != nil {
			t.Fatal(err)
		}
		h.Get(first.Path("fileUrl"), me).WantProblem(http.StatusConflict, "CONFLICT")
		again := h.Post(path, nil, me).Want(http.StatusAccepted)
		if again.Text("id") == first.Text("id") {
			t.Error("the damaged export is offered again")
		}
		exported(t, h, owner)
	})
}

// TestExport_manyRows has more rows than are read at a time.
func TestExport_manyRows(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner := h.Register()
		id := h.ID(owner)
		const n = 1203
		for i := range n {
			_, err := h.App.DB.Exec(t.Context(), `INSERT INTO usage_counts (owner_id, day, project_id, key_id, kind, drawn,
				generate_hits, public_hits) VALUES (?, '2026-11-24', ?, '', 'og', ?, 0, 0)`, id, fmt.Sprint(i), i)
			if err != nil {
				t.Fatal(err)
			}
		}
		seen := map[any]bool{}
		for _, row := range rows(t, exported(t, h, owner), "usage_counts") {
			seen[row["drawn"]] = true
		}
		if len(seen) != n {
			t.Errorf("got %d rows, want %d", len(seen), n)
		}
	})
}
