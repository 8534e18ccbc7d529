package dbtest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"strings"

	"github.com/google/uuid"
	"github.com/jmoiron/sqlx"

	"masthead/migrations"
	"masthead/pkg/db"
)

// template returns the name of a migrated database on the server that admin connects to: applying the migrations takes
// longer than most tests. It stays there, named after its schema, for other packages and runs.
func template(admin *sqlx.DB, server *url.URL) (string, error) {
	schema, err := schemaDigest()
	if err != nil {
		return "", err
	}
	name := "masthead_template_" + schema
	if there, err := isThere(admin, name); err != nil || there {
		return name, err
	}
	// The name is set once the database is complete. If another process creates it at the same time, one of them gets the
	// name, and both use it.
	draft := "masthead_test_" + strings.ReplaceAll(uuid.NewString(), "-", "")
	if _, err := admin.Exec("CREATE DATABASE " + draft); err != nil {
		return "", err
	}
	at := *server
	at.Path = "/" + draft
	d, err := db.Open(context.Background(), db.Config{URL: at.String()})
	if err != nil {
		return "", err
	}
	if err := d.Close(); err != nil {
		return "", err
	}
	if _, err := admin.Exec("ALTER DATABASE " + draft + " WITH ALLOW_CONNECTIONS false"); err != nil {
		return "", err
	}
	if _, err := admin.Exec("ALTER DATABASE " + draft + " RENAME TO " + name); err != nil {
		_, dropped := admin.Exec("DROP DATABASE " + draft + " WITH (FORCE)")
		if there, _ := isThere(admin, name); !there {
			return "", errors.Join(err, dropped)
		}
		return name, dropped
	}
	return name, nil
}

func isThere(admin *sqlx.DB, name string) (there bool, err error) {
	err = admin.Get(&there, `SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)`, name)
	return there, err
}

// schemaDigest identifies the result of the migrations.
func schemaDigest() (string, error) {
	names, err := fs.Glob(migrations.FS, "*.sql")
	if err != nil {
		return "", err
	}
	hash := sha256.New()
	for _, name := range names {
		data, err := migrations.FS.ReadFile(name)
		if err != nil {
			return "", err
		}
		_, _ = fmt.Fprintf(hash, "%s %d\n%s", name, len(data), data) // a hash never fails
	}
	return hex.EncodeToString(hash.Sum(nil))[:16], nil
}
