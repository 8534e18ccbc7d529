package watches_test

import (
	"strings"
	"testing"

	"masthead/pkg/db/dbtest"
	"masthead/pkg/watches"
)

// TestList_worstFirst_isSortedByTheIndex has SQLite plan the statement of the worst watches: the index has their order,
// so nothing is sorted.
func TestList_worstFirst_isSortedByTheIndex(t *testing.T) {
	var plan []struct {
		ID     int    `db:"id"`
		Parent int    `db:"parent"`
		Unused int    `db:"notused"`
		Detail string `db:"detail"`
	}
	err := dbtest.SQLite(t).Select(t.Context(), &plan, `EXPLAIN QUERY PLAN SELECT url FROM watches WHERE owner_id = ?
		AND gone_at IS NULL AND kind = ? AND sitemap_id IS NULL
		ORDER BY `+watches.RankOfPage+`, url, id`, "owner", "page")
	if err != nil {
		t.Fatal(err)
	}
	if len(plan) != 1 || !strings.Contains(plan[0].Detail, "watches_worst") {
		t.Errorf("the plan is %v", plan)
	}
}
