package db_test

import (
	"strings"
	"sync"
	"testing"

	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestPooled_manyTransactionsShareFewConnections uses more connections than the pooler has to Postgres, with the same
// statements inside and outside of transactions, and each kind of value.
func TestPooled_manyTransactionsShareFewConnections(t *testing.T) {
	t.Parallel()
	dbtest.RunPooled(t, func(t *testing.T, cfg db.Config) {
		d := open(t, cfg)
		ctx := t.Context()
		_, err := d.Exec(ctx, `CREATE TABLE kinds (id BIGINT PRIMARY KEY, n BIGINT, t TEXT, b BYTEA, f DOUBLE PRECISION,
			yes BOOLEAN, none TEXT)`)
		if err != nil {
			t.Fatal(err)
		}
		type kinds struct {
			ID   int64   `db:"id"`
			N    int64   `db:"n"`
			T    string  `db:"t"`
			B    []byte  `db:"b"`
			F    float64 `db:"f"`
			Yes  bool    `db:"yes"`
			None *string `db:"none"`
		}
		const insert = `INSERT INTO kinds VALUES (?, ?, ?, ?, ?, ?, ?)`
		const find = `SELECT * FROM kinds WHERE id = ?`
		var workers sync.WaitGroup
		for worker := range 16 {
			workers.Go(func() {
				for i := range 20 {
					want := kinds{ID: int64(worker*100 + i), N: -1 << 40, T: "ü'\x00\x01"[:3], B: []byte{0, 255, '\\'}, F: 0.1, Yes: i%2 == 0}
					put := []any{want.ID, want.N, want.T, want.B, want.F, want.Yes, want.None}
					var got, again kinds
					err := d.InTx(ctx, func(tx *db.Tx) error {
						if err := tx.Lock(ctx, "kinds"); err != nil {
							return err
						}
						if _, err := tx.Exec(ctx, insert, put...); err != nil {
							return err
						}
						return tx.Get(ctx, &got, find, want.ID)
					})
					if err == nil {
						err = d.Get(ctx, &again, find, want.ID)
					}
					for _, one := range []kinds{got, again} {
						if err != nil || one.N != want.N || one.T != want.T || string(one.B) != string(want.B) || one.F != want.F ||
							one.Yes != want.Yes || one.None != nil {
							t.Errorf("got %+v, %v, want %+v", one, err, want)
						}
					}
				}
			})
		}
		workers.Wait()
		if _, err := d.Exec(ctx, insert, 1, 1, "", nil, 1, true, nil); !db.IsUnique(err) {
			t.Errorf("got %v, want a violation of the key", err)
		}
	})
}

// TestPooled_limitsAreThoseOfTheRole looks for the limits that a pooler can't set.
func TestPooled_limitsAreThoseOfTheRole(t *testing.T) {
	t.Parallel()
	dbtest.RunPooled(t, func(t *testing.T, cfg db.Config) {
		missing, err := db.MissingLimits(t.Context(), cfg)
		if err != nil || strings.Join(missing, "; ") !=
			"idle_in_transaction_session_timeout = '10s'; statement_timeout = '5s'" {
			t.Errorf("got %q, %v, want both settings with their values", missing, err)
		}
		direct := open(t, db.Config{URL: cfg.DirectURL})
		limit := func() (value string) {
			t.Helper()
			pool, err := cfg.OpenRaw("")
			if err != nil {
				t.Fatal(err)
			}
			defer pool.Close()
			if err := pool.QueryRow(`SELECT current_setting('statement_timeout')`).Scan(&value); err != nil {
				t.Fatal(err)
			}
			return value
		}
		for _, setting := range missing {
			_, err := direct.Exec(t.Context(), `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET `+
				strings.ReplaceAll(setting, "'", "''")+`', current_database()); END $$`)
			if err != nil {
				t.Fatal(err)
			}
		}
		cfg.URL = cfg.DirectURL // new connections, which have the settings
		if missing, err := db.MissingLimits(t.Context(), cfg); err != nil || len(missing) > 0 {
			t.Errorf("got %q, %v, want none missing", missing, err)
		}
		if got := limit(); got != "0" {
			t.Errorf("got the limit %s for maintenance, want none", got)
		}
		if missing, err := db.MissingLimits(t.Context(), db.Config{URL: cfg.DirectURL}); err != nil || len(missing) > 0 {
			t.Errorf("got %q, %v without a pooler, where this program sets them", missing, err)
		}
	})
}

// TestPooled_saysThatThereIsAPooler gives the address of a pooler as that of Postgres.
func TestPooled_saysThatThereIsAPooler(t *testing.T) {
	t.Parallel()
	dbtest.RunPooled(t, func(t *testing.T, cfg db.Config) {
		err := db.Reach(t.Context(), db.Config{URL: cfg.URL})
		if err == nil || !strings.Contains(err.Error(), "MASTHEAD_DATABASE_DIRECT_URL") {
			t.Errorf("got %v, want what to set", err)
		}
	})
}
