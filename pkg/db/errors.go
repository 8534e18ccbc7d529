package db

import (
	"database/sql"
	"errors"
	"fmt"

	"github.com/lib/pq"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"

	"masthead/pkg/apperr"
)

// Missing converts the error of reading one row: NOT_FOUND with a message for the client if there is none, any other
// error wrapped with the operation, nil for nil.
func Missing(err error, sentence, doing string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return apperr.New(apperr.NotFound, sentence)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// IsUnique reports whether err is a violation of a unique constraint.
func IsUnique(err error) bool {
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23505" // unique_violation. Source: PostgreSQL documentation, appendix A.
	}
	var s *sqlite.Error
	if errors.As(err, &s) {
		return s.Code() == sqlite3.SQLITE_CONSTRAINT_UNIQUE || s.Code() == sqlite3.SQLITE_CONSTRAINT_PRIMARYKEY
	}
	return false
}

// IsForeignKey reports whether err is a violation of a foreign key: the referenced row doesn't exist (anymore).
func IsForeignKey(err error) bool {
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23503" // foreign_key_violation
	}
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}

// IsBusy reports whether err means that another connection uses the SQLite file.
func IsBusy(err error) bool {
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code()&0xff == sqlite3.SQLITE_BUSY // the rest is of extended codes
}
