// Package migrations owns the schema of the database: numbered SQL files, forward only, applied by pkg/db at start.
//
// A file is common to both dialects, or there are two of one number, NAME.sqlite.sql beside NAME.postgres.sql. Times
// are Unix milliseconds in BIGINT, ids are UUIDs in TEXT, lists and objects are JSON in TEXT.
package migrations

import "embed"

// FS holds the files.
//
//go:embed *.sql
var FS embed.FS
