package tickets

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/weburl"
)

type store struct{ db *db.DB }

// insert stores a ticket whose page is about to be read, and deletes the oldest of its network and of all that are too
// many.
func (s store) insert(ctx context.Context, t *Ticket) error {
	err := s.db.InTx(ctx, func(tx *db.Tx) error {
		_, err := tx.Exec(ctx, `INSERT INTO tickets (id, network, url, state, created_at, expires_at)
			VALUES (?, ?, ?, ?, ?, ?)`, t.ID, t.network, t.Page.String(), string(Reading), db.Millis{Time: t.CreatedAt},
			db.Millis{Time: t.CreatedAt.Add(lifetime)})
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM tickets WHERE id IN
			(SELECT id FROM tickets WHERE network = ? ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?)`,
			t.network, deleteBatch, networkTickets)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `DELETE FROM tickets WHERE id IN
			(SELECT id FROM tickets ORDER BY created_at DESC, id DESC LIMIT ? OFFSET ?)`, deleteBatch, mostTickets)
		return err
	})
	if err != nil {
		return fmt.Errorf("store a ticket: %w", err)
	}
	return nil
}

// deleteBatch is how many tickets one statement deletes at most.
const deleteBatch = 100

// save stores what was read. A ticket that was deleted in the meantime stays deleted.
func (s store) save(ctx context.Context, t *Ticket, pictures map[string][]byte) error {
	facts, err := t.Facts.encode()
	if err != nil { // without them there is nothing to draw
		t.State, t.Facts, pictures = Failed, Facts{Fault: faultOf(err), Took: t.Facts.Took}, nil
		if facts, err = t.Facts.encode(); err != nil {
			return err
		}
	}
	return s.db.InTx(ctx, func(tx *db.Tx) error {
		rows, err := tx.Exec(ctx, `UPDATE tickets SET state = ?, url = ?, facts = ? WHERE id = ?`,
			string(t.State), t.Page.String(), facts, t.ID)
		if err != nil || rows == 0 {
			return err
		}
		for _, name := range slices.Sorted(maps.Keys(pictures)) {
			_, err := tx.Exec(ctx, `INSERT INTO ticket_pictures (ticket_id, name, data) VALUES (?, ?, ?)`,
				t.ID, name, pictures[name])
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// get returns a ticket without its pictures.
func (s store) get(ctx context.Context, id string) (*Ticket, error) {
	var r struct {
		Network   string    `db:"network"`
		URL       string    `db:"url"`
		State     string    `db:"state"`
		Facts     string    `db:"facts"`
		CreatedAt db.Millis `db:"created_at"`
	}
	err := s.db.Brief().Get(ctx, &r, `SELECT network, url, state, facts, created_at FROM tickets WHERE id = ?`, id)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, errNoTicket()
	}
	if err != nil {
		return nil, fmt.Errorf("find a ticket: %w", err)
	}
	t := &Ticket{ID: id, State: State(r.State), network: r.Network, CreatedAt: r.CreatedAt.Time}
	if t.Page, err = weburl.Parse(r.URL); err != nil {
		return nil, fmt.Errorf("read the address of a ticket: %w", err)
	}
	if r.Facts != "" {
		if err := json.Unmarshal([]byte(r.Facts), &t.Facts); err != nil {
			return nil, fmt.Errorf("read the facts of a ticket: %w", err)
		}
	}
	return t, nil
}

// putPicture stores a picture of a ticket, in place of one with the same name.
func (s store) putPicture(ctx context.Context, id, name string, data []byte) error {
	_, err := s.db.Exec(ctx, `INSERT INTO ticket_pictures (ticket_id, name, data) VALUES (?, ?, ?)
		ON CONFLICT (ticket_id, name) DO UPDATE SET data = excluded.data`, id, name, data)
	if err != nil {
		return fmt.Errorf("store a picture of a ticket: %w", err)
	}
	return nil
}

// picture returns a picture of a ticket, or nil if there is none with the name.
func (s store) picture(ctx context.Context, id, name string) (data []byte, err error) {
	err = s.db.Get(ctx, &data, `SELECT data FROM ticket_pictures WHERE ticket_id = ? AND name = ?`, id, name)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("find a picture of a ticket: %w", err)
	}
	return data, nil
}

// pictures returns the pictures of a ticket by name.
func (s store) pictures(ctx context.Context, id string) (map[string][]byte, error) {
	var rows []struct {
		Name string `db:"name"`
		Data []byte `db:"data"`
	}
	if err := s.db.Select(ctx, &rows, `SELECT name, data FROM ticket_pictures WHERE ticket_id = ?`, id); err != nil {
		return nil, fmt.Errorf("find the pictures of a ticket: %w", err)
	}
	files := map[string][]byte{}
	for _, r := range rows {
		files[r.Name] = r.Data
	}
	return files, nil
}

// expire deletes tickets whose time is up.
func (s store) expire(ctx context.Context, now time.Time) error {
	for {
		rows, err := s.db.Exec(ctx, `DELETE FROM tickets WHERE id IN
			(SELECT id FROM tickets WHERE expires_at <= ? ORDER BY expires_at LIMIT ?)`, db.Millis{Time: now}, deleteBatch)
		if err != nil {
			return fmt.Errorf("delete expired tickets: %w", err)
		}
		if rows < deleteBatch {
			return nil
		}
	}
}
