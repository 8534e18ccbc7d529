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

// Missing is the error of looking for one row: NOT_FOUND with a sentence for the client when there is none, any other
// error wrapped with what was being done, nil for nil.
func Missing(err error, sentence, doing string) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, sql.ErrNoRows):
		return apperr.New(apperr.NotFound, sentence)
	}
	return fmt.Errorf("%s: %w", doing, err)
}

// IsUnique says whether err is that of a statement that would have made a second row of a unique value.
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

// IsForeignKey says whether err is that of a statement that names a row which is not there (any more).
func IsForeignKey(err error) bool {
	var p *pq.Error
	if errors.As(err, &p) {
		return p.Code == "23503" // foreign_key_violation
	}
	var s *sqlite.Error
	return errors.As(err, &s) && s.Code() == sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY
}
