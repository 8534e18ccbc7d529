package app

import (
	"context"
	"errors"

	"masthead/pkg/db"
)

// ErrNewer means that a newer version of the program has migrated the database.
var ErrNewer = errors.New("the database was migrated by a newer version of masthead, so this one can't open it: " +
	"run that version, or restore a backup from before the upgrade")

// Upgrade is what the first start of this program would do with an existing installation.
type Upgrade struct {
	// Fresh means that there is no data yet.
	Fresh bool
	// Migrations are the names of those that would be applied, in that order.
	Migrations []string
}

// Upgrade returns what the first start of this program would do, without changing anything. The error is [ErrNewer] if
// it couldn't start.
func (s Storage) Upgrade(ctx context.Context) (u Upgrade, err error) {
	cfg := s.database()
	if cfg.URL != "" {
		if err := db.Reach(ctx, cfg); err != nil {
			return u, err
		}
	}
	schema, err := db.ReadSchema(ctx, cfg)
	if err != nil {
		return u, err
	}
	if len(schema.Newer()) > 0 {
		return u, ErrNewer
	}
	u.Fresh = len(schema.Applied) == 0
	u.Migrations, err = db.Names(cfg.Dialect(), schema.Missing())
	return u, err
}
