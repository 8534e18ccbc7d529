package app

import (
	"context"
	"fmt"
	"strings"

	"masthead/pkg/db"
)

// Check is what was found of one part of a configuration: whether it works, and a sentence for the operator.
type Check struct {
	Part  string
	Works bool
	Says  string
}

// Check looks at a configuration without starting a service: its values, the data folder, the database, which addresses
// are fetched, and what is off. It changes nothing but a file in the data folder, which it writes and removes.
func (c Config) Check(ctx context.Context) []Check {
	var checks []Check
	found := func(part string, err error, says string) {
		if err != nil {
			says = err.Error()
		}
		checks = append(checks, Check{part, err == nil, says})
	}
	found("settings", c.Validate(), "Every value is valid.")
	found("data folder", c.prepare(), fmt.Sprintf("%s can be written to.", c.DataDir))
	engine := "The embedded SQLite answers."
	if c.Database.URL != "" {
		engine = "Postgres answers."
	}
	found("database", db.Reach(ctx, c.database()), engine)
	found("addresses", nil, c.addresses())
	ai := "AI is off: MASTHEAD_AI_BASE_URL names no provider."
	if c.AI.BaseURL != "" {
		ai = "AI pictures and texts come from " + c.AI.BaseURL + ", which was not asked."
	}
	found("AI", nil, ai)
	return checks
}

// addresses says which addresses the service fetches.
func (c Config) addresses() string {
	if len(c.Fetch.Allow) == 0 {
		return "Only addresses on the public web are fetched. MASTHEAD_FETCH_ALLOW opens private ones, such as " +
			"MASTHEAD_FETCH_ALLOW=10.1.0.0/16,127.0.0.1/32:3000."
	}
	return "Besides the public web, MASTHEAD_FETCH_ALLOW opens " + strings.Join(c.Fetch.Allow, ", ") + "."
}
