package main

import (
	"context"
	"fmt"

	"masthead/tools/bench/rig"
)

// postgresFull has Postgres take no more connections, and end those that there are.
func postgresFull(ctx context.Context, l *lab) ([]row, error) {
	return l.altered(ctx, "Postgres ends all connections and says for 12 s that it has too many",
		"ALTER ROLE %s CONNECTION LIMIT 0", "ALTER ROLE %s CONNECTION LIMIT -1")
}

// postgresReadOnly has Postgres refuse to write, as one does that became a replica.
func postgresReadOnly(ctx context.Context, l *lab) ([]row, error) {
	return l.altered(ctx, "Postgres refuses to write for 12 s",
		"ALTER ROLE %s SET default_transaction_read_only = on", "ALTER ROLE %s RESET default_transaction_read_only")
}

// altered runs a statement about the role of the database, ends all its connections, and takes it back later.
func (l *lab) altered(ctx context.Context, did, begin, heal string) ([]row, error) {
	database, err := l.database(ctx)
	if err != nil {
		return nil, err
	}
	s, err := l.open(ctx, rig.Options{Database: database.URL}, 1)
	if err != nil {
		return nil, err
	}
	do := func(statement string) func() error {
		return func() error {
			return database.Exec(ctx, fmt.Sprintf(statement, database.Name), database.Disconnect())
		}
	}
	return s.depend(ctx, fault{did: did, begin: do(begin), heal: do(heal)}, s.usual())
}
