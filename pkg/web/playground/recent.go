package playground

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/card"
	"masthead/pkg/identity"
	"masthead/pkg/tickets"
	"masthead/pkg/web/ui"
)

const (
	// recentCookie has the IDs of the visitor's last tickets, newest first, with dots between them.
	recentCookie = "tried"
	// mostRecent is how many tickets it has, and how many cards the front page shows of them.
	mostRecent = 4
	// recentTime is how long it is kept: as long as a ticket.
	recentTime = time.Hour
)

// remember adds a ticket to the cookie.
func (p *Pages) remember(c echo.Context, id string) {
	ids := slices.Insert(recentIDs(c), 0, id)
	c.SetCookie(&http.Cookie{ //nolint:gosec // Secure if the public address is https; local installations have none
		Name: recentCookie, Value: strings.Join(ids[:min(len(ids), mostRecent)], "."), Path: "/",
		MaxAge: int(recentTime.Seconds()), HttpOnly: true, SameSite: http.SameSiteLaxMode,
		Secure: strings.HasPrefix(p.base, "https://"),
	})
}

// recentIDs are the IDs in the cookie, as the browser sends them.
func recentIDs(c echo.Context) []string {
	cookie, err := c.Cookie(recentCookie)
	if err != nil || cookie.Value == "" {
		return nil
	}
	ids := strings.SplitN(cookie.Value, ".", mostRecent+1)
	return ids[:min(len(ids), mostRecent)]
}

// Recent returns cards of the pages that the visitor read within the last hour: one of each, newest first, then other
// designs of the newest. It reads nothing of pages, and leaves out what another network read.
func (p *Pages) Recent(c echo.Context) (cards []ui.CardLink) {
	ctx := c.Request().Context()
	caller := identity.CallerOf(ctx)
	var newest *tickets.Ticket
	var first string
	for _, id := range recentIDs(c) {
		t, err := p.tickets.Find(ctx, caller, id)
		if err != nil || t.State != tickets.Ready {
			continue // it has expired, or was never ours
		}
		best, err := t.Auto(tickets.Choices{Kind: card.OG})
		if err != nil {
			continue
		}
		cards = append(cards, drawnOf(t, best, best))
		if newest == nil {
			newest, first = t, best
		}
	}
	if newest == nil || len(cards) >= mostRecent {
		return cards
	}
	shown, _, err := newest.Designs(tickets.Choices{Kind: card.OG}, first)
	if err != nil {
		return cards
	}
	for _, d := range shown[1:] { // the first is there
		if len(cards) < mostRecent {
			cards = append(cards, drawnOf(newest, d.Slug, d.Name))
		}
	}
	return cards
}

// drawnOf is a ticket's card in a design.
func drawnOf(t *tickets.Ticket, design, name string) ui.CardLink {
	choices := tickets.Choices{Kind: card.OG, Template: design}
	width, height := sizeOf(choices)
	page := t.Page.Hostname() + t.Page.URL().Path
	return ui.CardLink{
		Path: pathOf(t.ID, choices.PageQuery()), URL: proofPath(t.ID, design, tickets.SmallWidth, nil),
		Alt: fmt.Sprintf("%s in the design %s", page, cmp.Or(name, design)), Caption: strings.TrimSuffix(page, "/"),
		Width: tickets.SmallWidth, Height: height * tickets.SmallWidth / width,
	}
}
