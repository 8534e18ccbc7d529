package rig

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"net/url"

	_ "github.com/lib/pq" // the driver for Postgres
)

// Database is a database in a Postgres that runs, with an owner of its own who is no superuser.
type Database struct {
	// URL is its address, for its owner.
	URL string
	// Name is its name, and its owner's.
	Name string

	server string
}

// NewDatabase makes a database in the Postgres at a URL, whose user must be a superuser.
func NewDatabase(ctx context.Context, server string) (*Database, error) {
	u, err := url.Parse(server)
	if err != nil {
		return nil, err
	}
	random := make([]byte, 16)
	if _, err := rand.Read(random); err != nil {
		return nil, err
	}
	d := &Database{server: server, Name: "masthead_rig_" + hex.EncodeToString(random[:6])}
	password := hex.EncodeToString(random)
	u.Path, u.User = "/"+d.Name, url.UserPassword(d.Name, password)
	d.URL = u.String()
	return d, d.Exec(ctx,
		fmt.Sprintf("CREATE ROLE %s LOGIN PASSWORD '%s'", d.Name, password),
		fmt.Sprintf("CREATE DATABASE %s OWNER %[1]s", d.Name))
}

// Drop deletes the database, though somebody is connected, and its owner.
func (d *Database) Drop() error {
	return d.Exec(context.Background(),
		"DROP DATABASE IF EXISTS "+d.Name+" WITH (FORCE)", "DROP ROLE IF EXISTS "+d.Name)
}

// Disconnect is a statement that ends all connections to the database.
func (d *Database) Disconnect() string {
	return "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '" + d.Name + "'"
}

// AsSuperuser opens the database as the superuser of the server.
func (d *Database) AsSuperuser() (*sql.DB, error) {
	u, err := url.Parse(d.server)
	if err != nil {
		return nil, err
	}
	u.Path = "/" + d.Name
	return sql.Open("postgres", u.String())
}

// Moved says that the server is at another address by now.
func (d *Database) Moved(server string) { d.server = server }

// Exec runs statements as the superuser, beside the database.
func (d *Database) Exec(ctx context.Context, statements ...string) error {
	return execute(ctx, d.server, statements...)
}

// execute runs statements on a server.
func execute(ctx context.Context, server string, statements ...string) (err error) {
	pool, err := sql.Open("postgres", server)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, pool.Close()) }()
	for _, statement := range statements {
		if _, err := pool.ExecContext(ctx, statement); err != nil {
			return fmt.Errorf("%s: %w", statement, err)
		}
	}
	return nil
}
