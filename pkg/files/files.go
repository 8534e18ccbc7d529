// Package files is the ledger of stored files: which files there are in the blob stores, what refers to them, and when
// they are deleted. Images and reports share it; each is a [Kind].
//
// The table files has a row for each file, which is written before the file's bytes and deleted after them. A file goes
// through these steps:
//
//   - [Store.Write] holds the row for an hour (keep_until) and writes the bytes. No sweep deletes a held file.
//   - [Refer], in the transaction that stores what refers to the file, ends the hold. It fails with [ErrGone] if the
//     file may have been deleted since it was written; then the caller writes it again.
//   - A trigger on the table of references marks a file that lost one as a candidate of the sweep (keep_until = 0).
//   - A sweep marks candidates that nothing refers to (deleting_until), deletes their bytes, then their rows. A marked
//     file is neither held nor referred to. A mark ends by itself, so that a killed sweep blocks nobody for long.
//
// So a reference never lacks its file, and a file never lacks its row, whenever a process is killed. A power cut may
// take the row and leave the bytes, since SQLite doesn't wait for the disk with it; the daily scrub finds those.
//
// What the protocol has beyond "the row before the bytes, and garbage after an hour", and which test fails without it:
//
//   - the moment of a hold as a token, and marks that [Refer] and writers respect:
//     TestRefer_fileThatMayHaveGoneIsWrittenAgain, TestSweep_writerOfTheSameFileWaits
//   - one hold for all writers of a file: TestRefer_fileThatMayHaveGoneIsWrittenAgain
//   - marks from a clock that has gone back end: TestLedger_killedAfterEachStep
//   - the lease of a sweep: TestSweep_oneNodeAtATime, on Postgres
//   - reading a damaged file again under its mark: TestDiscard_takesDamagedFilesAlone
//   - rows for files without one: TestScrub_fileWithoutARowIsSweptAfterAnHour
//   - comparing files after a node was killed: TestUnsure_lastsFromAnUncleanEndToTheCheckOfAllFiles,
//     TestUnsure_anotherUncleanEndMeansToCompareAgain
//
// The map of the package: hold.go writes files and refers to them, counted.go adds up what accounts store, sweep.go
// deletes garbage, scrub.go compares files with their digests once a day and has damaged ones made again, nodes.go
// knows which nodes were killed, unsure.go which files must be compared at their first read after that, and outdated.go
// which ones an older encoder has drawn.
//
// To add a kind: a table of references (digest, name) with a foreign key to files and the trigger of migration 0039,
// and one call of [Ledger.Register].
package files

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"masthead/pkg/blob"
	"masthead/pkg/db"
	"masthead/pkg/lease"
)

// Kind is a kind of owner that has files, such as images.
type Kind struct {
	// Name is the value of the column kind, such as "image".
	Name string
	// Blobs holds the bytes. Two kinds may share a store.
	Blobs blob.Store
	// References is a SELECT of what refers to files of the kind: the columns digest, name, owner (an id), scope (see
	// [Digest]) and size, in bytes. Callers' input has no place in it.
	References string
	// Counted is a SELECT of what counts towards the bytes that accounts can store: the columns owner_id and size; "" for
	// nothing.
	Counted string
	// Remake makes the files of an owner again, one of which, n, is lost or damaged; nil for a kind that can't, whose
	// files aren't scrubbed. It logs its errors.
	Remake func(ctx context.Context, owner string, n blob.Name) error
	// Busy reports whether there is more urgent work than scrubbing; nil for never.
	Busy func() bool
}

// Ledger keeps the rows of all files. It is safe for concurrent use, by many nodes on one database.
type Ledger struct {
	db       *db.DB
	leases   *lease.Table // nil when this process is the only one with its database
	stores   []*Store
	unsure   *unsure
	outdated outdatedFiles
	freed    chan struct{} // wakes the sweep
	scrubs   *prometheus.CounterVec
	swept    *prometheus.CounterVec
	now      func() time.Time
}

// New returns the ledger in d, by the clock now. Kinds are registered before its other methods are called.
func New(d *db.DB, now func() time.Time) *Ledger {
	l := &Ledger{
		db: d, unsure: newUnsure(), freed: make(chan struct{}, 1), now: now,
		scrubs: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_files_scrubbed_total", Help: "Stored files that the daily scrub has looked at.",
		}, []string{"result"}), // whole, damaged, lost, orphan
		swept: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "masthead_files_swept_total", Help: "Files that were deleted since nothing referred to them any more.",
		}, []string{"kind"}),
	}
	if d.Dialect() == db.Postgres {
		l.leases = lease.New(d, leaseTime)
	}
	return l
}

// Register adds a kind and returns the store of its files.
func (l *Ledger) Register(k Kind) *Store {
	s := &Store{Ledger: l, kind: k}
	l.stores = append(l.stores, s)
	return s
}

// Kinds returns the names of the registered kinds, in that order.
func (l *Ledger) Kinds() (names []string) {
	for _, s := range l.stores {
		names = append(names, s.kind.Name)
	}
	return names
}

// Store stores the files of one kind.
type Store struct {
	*Ledger
	kind Kind
}

// Collectors are the metrics of the package.
func (l *Ledger) Collectors() []prometheus.Collector {
	return []prometheus.Collector{l.scrubs, l.swept}
}

// Digest returns the digest that a file is stored under: the SHA-256, in hexadecimal, of its scope and its bytes. The
// scope is the id of a project or a report: two scopes never share a file.
func Digest(scope string, data []byte) string {
	h := sha256.New()
	h.Write([]byte(scope))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// byName orders rows of files, so that two transactions which lock several of them never wait for each other.
func byName(a, b blob.Name) int {
	return cmp.Or(strings.Compare(a.Digest, b.Digest), strings.Compare(a.File, b.File))
}

func millis(t time.Time) db.Millis { return db.Millis{Time: t} }
