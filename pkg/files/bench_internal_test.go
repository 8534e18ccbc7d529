package files

import (
	"crypto/rand"
	"testing"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// BenchmarkStore stores a file of the size of a card (50 KB) on disk, with its row and the reference to it: what a new
// picture pays for the ledger.
func BenchmarkStore(b *testing.B) {
	dbtest.Bench(b, func(b *testing.B, d *db.DB) {
		st := newStorage(b, d)
		data := make([]byte, 50<<10)
		_, _ = rand.Read(data)
		for b.Loop() {
			id := db.NewID()
			n := blob.Name{Digest: Digest(id, data), File: "og.png"}
			hold, err := st.Write(b.Context(), map[blob.Name][]byte{n: data})
			if err != nil {
				b.Fatal(err)
			}
			err = d.Regenerable().InTx(b.Context(), func(tx *db.Tx) error {
				if err := st.Refer(b.Context(), tx, hold, nil); err != nil {
					return err
				}
				_, err := tx.Exec(b.Context(), `INSERT INTO things (owner, name, digest, size) VALUES (?, ?, ?, ?)`,
					id, n.File, n.Digest, len(data))
				return err
			})
			if err != nil {
				b.Fatal(err)
			}
		}
	})
}
