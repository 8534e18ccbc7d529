package db

import (
	"context"
	"fmt"
	"sync"

	"github.com/hashicorp/golang-lru/v2/simplelru"
	"github.com/jmoiron/sqlx"
)

// maxStatements bounds how many prepared statements a pool keeps. The program has some sixty texts, filters of lists
// included; a text that is made anew at each call would push the others out.
const maxStatements = 256

// statements keeps the prepared statements of a pool: the place holders of the dialect are put into a text once, and
// the database parses it once on each connection, new ones after broken ones included, which is database/sql's doing.
// It is safe for concurrent use.
type statements struct {
	pool *sqlx.DB

	mu   sync.Mutex
	kept *simplelru.LRU[string, *statement] // by the text before place holders
	out  []*statement                       // not kept and in nobody's hands: to be closed
}

// statement is a prepared statement and who holds it.
type statement struct {
	*sqlx.Stmt
	holders int
	out     bool // pushed out: whoever holds it last closes it
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

// with calls run with the prepared statement of query, preparing it first where need be. That takes a connection of the
// pool: who holds one already, a transaction, uses known instead.
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

// known returns the statement of query if it is prepared already, to be released; nil otherwise. It never waits.
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

// prepare prepares query and keeps it; the statement is to be released.
func (s *statements) prepare(ctx context.Context, query string) (*statement, error) {
	made, err := s.pool.PreparexContext(ctx, s.pool.Rebind(query))
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	held, found := s.kept.Get(query)
	if found { // somebody else was quicker
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

// release gives back what known or prepare returned.
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
	_ = s.Stmt.Close() // a statement that cannot be closed goes with its connection
}
