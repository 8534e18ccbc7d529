package app_test

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/backup"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

const drillPassphrase = "correct horse battery staple"

// TestBackup_drill makes a backup while images are created, and another of the stopped service. It restores both
// elsewhere and compares: the first has all that was acknowledged before it began, with its bytes, and the second every
// row and every byte.
func TestBackup_drill(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		var live app.Storage
		var acknowledged map[string][]byte // pictures by their paths
		archives := t.TempDir()
		underLoad, stopped := filepath.Join(archives, "load"), filepath.Join(archives, "stopped")
		dir := t.TempDir()
		t.Run("serving", func(t *testing.T) {
			s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) { c.DataDir = dir })
			s.Post("/audits", map[string]any{"url": s.Site.At("/page/audited")},
				apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
			s.Post(assetsOf(s), redLogo, apptest.Bearer(s.Session.Access)).Want(http.StatusCreated)
			live = s.Config.Storage
			acknowledged = backupUnderLoad(t, s, underLoad)
		})
		if _, err := live.Backup(t.Context(), stopped, "", "1.2.3", nil); err != nil {
			t.Fatal(err)
		}
		anotherPlace(t, cfg, func(target app.Storage) {
			restore(t, target, underLoad)
			serveRestored(t, target, acknowledged)
		})
		anotherPlace(t, cfg, func(target app.Storage) {
			restore(t, target, stopped)
			want, got := rowsOf(t, live), rowsOf(t, target)
			for table, rows := range want {
				if !slices.Equal(rows, got[table]) {
					t.Errorf("table %s: got %d rows %.300q, want %d rows %.300q", table, len(got[table]), got[table], len(rows), rows)
				}
			}
			if len(got) != len(want) || len(want["images"]) < len(acknowledged) || len(want["assets"]) != 1 {
				t.Errorf("got %d tables, want %d; %d images", len(got), len(want), len(want["images"]))
			}
			for _, folder := range []string{"images", "audits"} {
				want, got := bytesOf(t, live, folder), bytesOf(t, target, folder)
				if len(want) == 0 || !reflect.DeepEqual(got, want) {
					t.Errorf("%s: got %d files, want the same %d", folder, len(got), len(want))
				}
			}
		})
	})
}

// backupUnderLoad writes a backup while new images are requested at a rate, and returns what was acknowledged before it
// began. Images are deleted too, whose files would be swept.
func backupUnderLoad(t *testing.T, s *apptest.Service, path string) map[string][]byte {
	t.Helper()
	const before, perSecond = 20, 20
	acknowledged := map[string][]byte{}
	var doomed []string
	for i := range before {
		made := s.Generate(fmt.Sprintf("/page/before-%d", i), nil).Want(http.StatusOK)
		if i%4 == 3 {
			doomed = append(doomed, made.Text("id"))
			continue
		}
		address := made.Path("imageUrl")
		acknowledged[address] = s.Get(address).Want(http.StatusOK).Body
	}
	ctx, stop := context.WithCancel(t.Context())
	var load sync.WaitGroup
	begun := make(chan struct{})
	var once sync.Once
	load.Go(func() {
		tick := time.NewTicker(time.Second / perSecond)
		defer tick.Stop()
		for i := 0; ; i++ {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			load.Go(func() { s.Generate(fmt.Sprintf("/page/during-%d", i), nil) })
			once.Do(func() { close(begun) })
		}
	})
	<-begun
	deleting := sync.OnceFunc(func() { // between the copy of the database and that of the files
		for _, id := range doomed {
			s.Send(http.MethodDelete, "/images/"+id, nil, apptest.Bearer(s.Session.Access)).Want(http.StatusNoContent)
		}
		if err := s.App.Files.Sweep(t.Context()); err != nil {
			t.Error(err)
		}
	})
	summary, err := s.Config.Backup(t.Context(), path, "", "1.2.3", func(backup.Progress) { deleting() })
	stop()
	load.Wait()
	if err != nil {
		t.Fatal(err)
	}
	if summary.Lost != 0 || summary.Files < before {
		t.Errorf("got %+v, want every file", summary)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("got %v, %v, want a file that only its owner can read", info, err)
	}
	return acknowledged
}

// anotherPlace calls do with an empty place of the kind of database that cfg is.
func anotherPlace(t *testing.T, cfg db.Config, do func(app.Storage)) {
	t.Helper()
	target := app.Storage{DataDir: filepath.Join(t.TempDir(), "new")}
	if cfg.URL == "" {
		do(target)
		return
	}
	dbtest.Empty(t, func(t *testing.T, url string) {
		t.Helper()
		target.Database.URL = url
		do(target)
	})
}

func restore(t *testing.T, target app.Storage, path string) {
	t.Helper()
	if _, err := target.Restore(t.Context(), path, "", false, nil); err != nil {
		t.Fatal(err)
	}
}

// serveRestored starts a service on what was restored: it has the pictures, and all that the database refers to.
func serveRestored(t *testing.T, target app.Storage, acknowledged map[string][]byte) {
	t.Helper()
	t.Run("restored", func(t *testing.T) {
		s := apptest.Start(t, func(c *app.Config) {
			c.Storage = target
			if target.Database.URL != "" {
				c.Auth.Secret = base62.Random(43)
			}
		})
		for address, want := range acknowledged {
			if got := s.Get(address).Want(http.StatusOK).Body; string(got) != string(want) {
				t.Errorf("%s: got %d other bytes, want %d", address, len(got), len(want))
			}
		}
		var names []struct{ Digest, Name string }
		if err := s.App.DB.Select(t.Context(), &names, `SELECT digest, name FROM image_files`); err != nil {
			t.Fatal(err)
		}
		for _, n := range names {
			path := filepath.Join(target.DataDir, "images", n.Digest[:2], n.Digest+"."+n.Name)
			if _, err := os.Stat(path); err != nil {
				t.Errorf("an image is without its bytes: %v", err)
			}
		}
		if len(names) < len(acknowledged) {
			t.Errorf("got %d files, want at least %d", len(names), len(acknowledged))
		}
	})
}

// rowsOf returns the rows of all tables as text, sorted, besides what a backup leaves out.
func rowsOf(t *testing.T, s app.Storage) map[string][]string {
	t.Helper()
	cfg := s.Database
	cfg.Dir = s.DataDir
	pool, err := cfg.OpenRaw("")
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	query := `SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`
	if cfg.URL != "" {
		query = `SELECT tablename FROM pg_tables WHERE schemaname = current_schema()`
	}
	all := map[string][]string{}
	for _, row := range scan(t, pool, query) {
		table := row[0].(string)
		if slices.Contains([]string{"goose_db_version", "image_changes", "exports", "export_parts", "sweep_pauses"}, table) {
			continue
		}
		all[table] = []string{}
		for _, row := range scan(t, pool, `SELECT * FROM `+table) {
			all[table] = append(all[table], fmt.Sprintf("%#v", row))
		}
		slices.Sort(all[table])
	}
	return all
}

func scan(t *testing.T, pool *sql.DB, query string) (all [][]any) {
	t.Helper()
	rows, err := pool.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	columns, err := rows.Columns()
	if err != nil {
		t.Fatal(err)
	}
	for rows.Next() {
		row := make([]any, len(columns))
		into := make([]any, len(columns))
		for i := range row {
			into[i] = &row[i]
		}
		if err := rows.Scan(into...); err != nil {
			t.Fatal(err)
		}
		for i, value := range row {
			if text, ok := value.([]byte); ok {
				row[i] = string(text)
			}
		}
		all = append(all, row)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return all
}

// bytesOf returns the digests of the files in a folder of the data folder, by their paths.
func bytesOf(t *testing.T, s app.Storage, folder string) map[string]string {
	t.Helper()
	all := map[string]string{}
	root := filepath.Join(s.DataDir, folder)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		sum := sha256.Sum256(data)
		all[strings.TrimPrefix(path, root)] = hex.EncodeToString(sum[:])
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestRestore_refusedLeavesTheOldState restores what can't be restored over an installation: after each refusal it has
// the same rows and files, and the right archive restores it afterward.
func TestRestore_refusedLeavesTheOldState(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		dir, archives := t.TempDir(), t.TempDir()
		good, sealed := filepath.Join(archives, "good"), filepath.Join(archives, "sealed")
		var live app.Storage
		var later []byte
		t.Run("serving", func(t *testing.T) {
			s := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) { c.DataDir = dir })
			live = s.Config.Storage
			s.Generate("/page/one", nil).Want(http.StatusOK)
			for path, passphrase := range map[string]string{good: "", sealed: drillPassphrase} {
				if _, err := live.Backup(t.Context(), path, passphrase, "1.2.3", nil); err != nil {
					t.Fatal(err)
				}
			}
			_, err := live.Backup(t.Context(), good, "", "1.2.3", nil)
			if err == nil || !strings.Contains(err.Error(), "exists") {
				t.Errorf("got %v, want an existing file to be refused", err)
			}
			later = s.Generate("/page/two", nil).Want(http.StatusOK).Body
		})
		before, files := rowsOf(t, live), bytesOf(t, live, "images")
		whole, err := os.ReadFile(good)
		if err != nil {
			t.Fatal(err)
		}
		flipped := slices.Clone(whole)
		flipped[len(flipped)/2] ^= 1
		foreign := strings.Replace(string(whole), `"database":"sqlite"`, `"database":"mysqll"`, 1)
		for name, c := range map[string]struct {
			archive    []byte
			path       string
			passphrase string
			replace    bool
			want       string
		}{
			"not empty":        {path: good, want: "there is an installation already"},
			"no passphrase":    {path: sealed, replace: true, want: "encrypted"},
			"wrong passphrase": {path: sealed, passphrase: "wrong", replace: true, want: "the passphrase doesn't open"},
			"cut":              {archive: whole[:len(whole)*2/3], replace: true, want: "damaged or incomplete"},
			"without its end":  {archive: whole[:len(whole)-2048], replace: true, want: "damaged or incomplete"},
			"changed":          {archive: flipped, replace: true, want: "damaged or incomplete"},
			"changed manifest": {archive: []byte(foreign), replace: true, want: ""},
			"no archive":       {archive: []byte(strings.Repeat("hello\n", 1000)), replace: true, want: "damaged or incomplete"},
			"empty":            {archive: []byte{}, replace: true, want: "damaged or incomplete"},
		} {
			path := c.path
			if path == "" {
				path = filepath.Join(archives, "broken")
				if err := os.WriteFile(path, c.archive, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if c.want == "" && cfg.URL != "" { // the text to change is SQLite's
				continue
			}
			_, err := live.Restore(t.Context(), path, c.passphrase, c.replace, nil)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: got %v, want %q", name, err, c.want)
			}
			if !reflect.DeepEqual(rowsOf(t, live), before) || !reflect.DeepEqual(bytesOf(t, live, "images"), files) {
				t.Errorf("%s: the old state isn't as it was", name)
			}
		}
		if _, err := live.Restore(t.Context(), sealed, drillPassphrase, true, nil); err != nil {
			t.Fatal(err)
		}
		t.Run("restored", func(t *testing.T) {
			s := apptest.Start(t, func(c *app.Config) {
				c.Storage = live
				if cfg.URL != "" {
					c.Auth.Secret = base62.Random(43)
				}
			})
			var record struct{ ID string }
			if err := json.Unmarshal(later, &record); err != nil {
				t.Fatal(err)
			}
			var id string
			err := s.App.DB.Get(t.Context(), &id, `SELECT id FROM images WHERE id = ?`, record.ID)
			if !errors.Is(err, sql.ErrNoRows) {
				t.Errorf("got %v, want the image of after the backup gone", err)
			}
		})
	})
}

// A kind of file that is missing in backup.go would be missing in every backup.
func TestBackup_knowsEveryKindOfFile(t *testing.T) {
	t.Parallel()
	want := slices.Sorted(maps.Keys(app.BackedUp))
	if got := slices.Sorted(slices.Values(apptest.Start(t).App.Files.Kinds())); !slices.Equal(got, want) {
		t.Errorf("the program has the kinds %q, and backups %q", got, want)
	}
}
