package app_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/jmoiron/sqlx"

	"masthead/gen"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/eviction"
	"masthead/pkg/testenv"
)

// small are the tables that don't grow with what is stored: they have a row for each node, or each kind of work.
var small = []string{"installation", "leases", "maintenance", "milestones", "nodes", "scrub", "sweep_pauses"}

// narrow are indexes of a few rows of a table that grows: of the admins, the anonymous reports of a day, and the mails
// that weren't sent.
var narrow = []string{"users_admins", "audits_nobodys", "mails_unsent"}

// scans are parts of the statements that read a whole table that grows, each with the reason why that is right.
var scans = map[string]string{
	"SELECT COUNT(*) AS total,\n\t\t\tCOUNT(CASE WHEN plan": "figures for admins: accounts are few beside images",
	"SELECT kind,\n\t\t\tCOUNT(CASE WHEN given_up_at":       "figures for admins: jobs that ended have no row",
	"SELECT kind, COUNT(*) - COUNT(given_up_at) AS waiting": "a metric: jobs that ended have no row",
	"DELETE FROM crawler_reads":                             "the matrix's own",
	"DELETE FROM totp":                                      "the matrix's own",
}

// TestStatements_readNoWholeTable has every operation of the document done, and Postgres explain what was asked of it:
// each statement finds its rows of a table that grows by an index.
func TestStatements_readNoWholeTable(t *testing.T) {
	testenv.Sequential(t)
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		h := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}), func(c *app.Config) {
			c.Billing.FreeWebhooks, c.Billing.FreeWatches, c.Billing.FreeDesigns = 1000, 1000, 1000
			c.Images.Eviction = eviction.Config{TotalMB: 1, AccountMB: 1, ProjectMB: 1, Days: 1}
		})
		everyOperation(t, h)
		evictEverything(t, h)
		asked := h.App.DB.Statements()
		if len(asked) < 100 {
			t.Fatalf("got %d statements, want those of all operations", len(asked))
		}
		t.Logf("%d statements", len(asked))
		if len(asked) == db.MaxStatements {
			t.Errorf("the cache of statements is full: some are prepared again and again")
		}
		pool, err := sqlx.Open("postgres", url)
		if err != nil {
			t.Fatal(err)
		}
		defer pool.Close()
		pool.SetMaxOpenConns(1) // its settings hold for all
		for _, setting := range []string{
			"SET enable_seqscan = off", "SET enable_hashjoin = off", "SET enable_mergejoin = off",
			"SET plan_cache_mode = force_generic_plan",
		} {
			if _, err := pool.Exec(setting); err != nil {
				t.Fatal(err)
			}
		}
		unused := maps.Clone(scans)
		for _, text := range asked {
			known := false
			for part := range scans {
				if strings.HasPrefix(text, part) {
					known = true
					delete(unused, part)
				}
			}
			if table := scanned(t, pool, text); table != "" && !known && !slices.Contains(small, table) {
				t.Errorf("this reads all of %s:\n%s", table, text)
			}
		}
		for text := range unused {
			t.Errorf("this is not asked any more:\n%s", text)
		}
	})
}

// evictEverything has pictures evicted by each limit, as if they were large.
func evictEverything(t *testing.T, h *apptest.Service) {
	t.Helper()
	for _, budget := range []string{"installation", "account", "project"} {
		if _, err := h.App.DB.Exec(t.Context(), `INSERT INTO variant_totals VALUES (?, '', 2000000)`, budget); err != nil {
			t.Fatal(err)
		}
	}
	h.App.Images.Evictions().Served("somebody's")
	err := errors.Join(h.App.Images.Evictions().Flush(t.Context()), h.App.Images.Evictions().Evict(t.Context()))
	if err != nil {
		t.Fatal(err)
	}
}

// TestPooler_everyOperation has every operation done behind a pooler, which gives each transaction another connection,
// and then asks for many pictures at the same time.
func TestPooler_everyOperation(t *testing.T) {
	t.Parallel()
	dbtest.RunPooled(t, func(t *testing.T, cfg db.Config) {
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.Billing.FreeWebhooks, c.Billing.FreeWatches, c.Billing.FreeDesigns = 1000, 1000, 1000
		})
		everyOperation(t, h)
		var crowd sync.WaitGroup
		for i := range testenv.Crowd(40) {
			crowd.Go(func() {
				h.Generate(fmt.Sprint("/page/", i), map[string]any{"template": "minimal"}).Want(http.StatusOK)
			})
		}
		crowd.Wait()
	})
}

// everyOperation has the owner, or an admin, do each operation of the document.
func everyOperation(t *testing.T, h *apptest.Service) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(gen.Document())
	if err != nil {
		t.Fatal(err)
	}
	w := newWorld(t, h)
	for _, item := range document.Paths.Map() {
		for method, op := range item.Operations() {
			of := matrix[op.OperationID]
			caller := w.owner.Access
			if of.of == admins {
				caller = h.Session.Access
			} else if op.Security != nil && len(*op.Security) > 0 && (*op.Security)[0]["bearerAuth"] == nil {
				caller = w.owner.key
			}
			asked, body := of.ask(w, w.owner)
			got := w.Send(method, asked, body, apptest.Bearer(caller))
			if want := withoutMore[op.OperationID]; got.Status >= 300 && got.Status != want {
				t.Errorf("%s: got %d: %s", op.OperationID, got.Status, got.Body)
			}
			if endsSessions[op.OperationID] {
				w.owner = newOwner(h)
			}
		}
	}
}

// plan is a node of what Postgres explains. Source: PostgreSQL documentation, 14.1 Using EXPLAIN.
type plan struct {
	NodeType  string `json:"Node Type"`
	Relation  string `json:"Relation Name"`
	Index     string `json:"Index Name"`
	IndexCond string `json:"Index Cond"`
	Plans     []plan `json:"Plans"`
}

// scanned returns a table that a statement reads as a whole, though an index is used wherever one can be; "" for none.
func scanned(t *testing.T, pool *sqlx.DB, text string) string {
	t.Helper()
	text = pool.Rebind(text)
	if _, err := pool.Exec("PREPARE asked AS " + text); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	defer func() {
		if _, err := pool.Exec("DEALLOCATE asked"); err != nil {
			t.Error(err)
		}
	}()
	var count int
	if err := pool.Get(&count, `SELECT COALESCE(array_length(parameter_types, 1), 0) FROM pg_prepared_statements
		WHERE name = 'asked'`); err != nil {
		t.Fatal(err)
	}
	execute := "EXPLAIN (FORMAT JSON) EXECUTE asked"
	if count > 0 {
		execute += fmt.Sprintf("(NULL%s)", strings.Repeat(", NULL", count-1))
	}
	var explained []byte
	if err := pool.Get(&explained, execute); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	var of []struct{ Plan plan }
	if err := json.Unmarshal(explained, &of); err != nil {
		t.Fatal(err)
	}
	return of[0].Plan.scan(false)
}

// scan is a table that is read as a whole at or below p. An index without a condition is read as a whole too, unless a
// limit ends it.
func (p plan) scan(limited bool) string {
	switch p.NodeType {
	case "Limit":
		limited = true
	case "Sort", "Aggregate", "HashAggregate":
		limited = false // they read all before they return the first
	case "Seq Scan":
		return p.Relation
	case "Index Scan", "Index Only Scan", "Bitmap Index Scan":
		if p.IndexCond == "" && !limited && p.Relation != "" && !slices.Contains(narrow, p.Index) {
			return p.Relation
		}
	}
	for _, below := range p.Plans {
		if table := below.scan(limited); table != "" {
			return table
		}
	}
	return ""
}
