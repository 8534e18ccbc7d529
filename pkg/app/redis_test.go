package app_test

import (
	"net/http"
	"net/url"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/limit"
	"masthead/pkg/testenv"
	"masthead/pkg/testenv/cut"
)

// TestRedis_nodesShareLimits sends the requests of one account to two nodes in turns. Then Redis is silent: each node
// goes on with its share, says so, and counts with the other one again afterwards.
func TestRedis_nodesShareLimits(t *testing.T) {
	t.Parallel()
	address, ok := testenv.Redis(t)
	if !ok {
		return
	}
	network := cut.New(t, limit.Config{URL: address}.Address())
	through, err := url.Parse(address)
	if err != nil {
		t.Fatal(err)
	}
	through.Host = network.Addr
	dbtest.RunPostgres(t, func(t *testing.T, database string) {
		one := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: database}), func(c *app.Config) {
			c.Limits.URL = through.String()
			c.Billing.FreeRPM = 20
		})
		nodes := []*apptest.Service{one, one.StartNode()}
		limits := func(node *apptest.Service) any { return node.Get("/readyz").Want(http.StatusOK).Value("limits") }
		list := func(i int) *apptest.Response { return nodes[i%2].Get("/images", apptest.Bearer(one.Key)) }
		if got := limits(one); got != "shared" {
			t.Errorf("the limits are %v", got)
		}
		through := 0
		for i := range 40 {
			if list(i).Status == http.StatusOK {
				through++
			}
		}
		// Starting has used up some of the account's requests.
		if through < 10 || through > 20 {
			t.Errorf("%d of 40 requests got through, want at most the 20 of the plan, on both nodes together", through)
		}
		for i := range nodes {
			list(i).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
		}
		network.Silence()
		for i, node := range nodes {
			list(i).Want(http.StatusOK) // the node's own window begins
			if got := limits(node); got != "node" {
				t.Errorf("while Redis is silent: the limits of node %d are %v", i, got)
			}
		}
		network.Pass()
		network.Reset()
		for _, node := range nodes {
			apptest.WaitFor(t, "shared limits", func() bool { return limits(node) == "shared" })
		}
	})
}
