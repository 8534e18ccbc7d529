package db

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jmoiron/sqlx"
)

// MaxStatements is the maximum number of prepared statements per pool. The program has some 350 texts, including
// filters of lists; a text that differs at each call would evict the others.
const MaxStatements = 1024

// statements caches the prepared statements of a pool: a text gets the placeholders of its dialect once, and the
// database parses it once per connection, which database/sql repeats for new connections. It is safe for concurrent
// use.
type statements struct {
	pool *sqlx.DB

	mu   sync.Mutex
	kept simplelru.LRUCache[string, *statement] // by the text before placeholders
	out  []*statement                           // evicted and unused: to be closed
}

// statement is a prepared statement and its number of users.
type statement struct {
	*sqlx.Stmt
	holders int
	out     bool // evicted: its last user closes it
}

func newStatements(pool *sqlx.DB, most int) *statements {
	s := &statements{pool: pool}
	kept, err := simplelru.NewLRU(most, func(_ string, old *statement) {
		old.out = true
		if old.holders == 0 {
			s.out = append(s.out, old)
		}
	})
	if err != nil {
		panic(fmt.Sprintf("keep %d statements: %v", most, err))
	}
	s.kept = kept
	return s
}

// with calls run with the prepared statement of query, which it prepares first if necessary. That takes a connection of
// the pool: a transaction, which already has one, uses known instead.
func (s *statements) with(ctx context.Context, query string, run func(*sqlx.Stmt) error) error {
	held := s.known(query)
	if held == nil {
		var err error
		if held, err = s.prepare(ctx, query); err != nil {
			return err
		}
	}
	defer s.release(held)
	return run(held.Stmt)
}

// Statements returns the texts of the prepared statements, sorted: those of all calls but the first of each inside of a
// transaction, at most [MaxStatements]. Their placeholders are ?.
func (d *DB) Statements() []string {
	s := d.write.statements
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Sorted(slices.Values(s.kept.Keys()))
}

// known returns the statement of query if it is prepared already, otherwise nil. The caller must release it. It never
// waits.
func (s *statements) known(query string) *statement {
	s.mu.Lock()
	defer s.mu.Unlock()
	held, ok := s.kept.Get(query)
	if !ok {
		return nil
	}
	held.holders++
	return held
}

// prepare prepares query and caches it. The caller must release the statement.
func (s *statements) prepare(ctx context.Context, query string) (*statement, error) {
	made, err := s.pool.PreparexContext(ctx, s.pool.Rebind(planned(query)))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	held, found := s.kept.Get(query)
	if found { // another goroutine was faster
		s.out = append(s.out, &statement{Stmt: made})
	} else {
		held = &statement{Stmt: made}
		s.kept.Add(query, held)
	}
	held.holders++
	closing := s.out
	s.out = nil
	s.mu.Unlock()
	for _, old := range closing {
		old.close()
	}
	return held, nil
}

// planned returns query in a form that SQLite plans once. It plans by the value of a limit, and again whenever another
// one is bound, which takes several times as long as most lists. Source: sqlite3ExprIsInteger of SQLite 3.48.
func planned(query string) string {
	return strings.ReplaceAll(query, "LIMIT ?", "LIMIT CAST(? AS BIGINT)")
}

// release releases the result of known or prepare.
func (s *statements) release(held *statement) {
	s.mu.Lock()
	held.holders--
	last := held.out && held.holders == 0
	s.mu.Unlock()
	if last {
		held.close()
	}
}

func (s *statement) close() {
	_ = s.Stmt.Close() // a statement that can't be closed is freed with its connection
}
