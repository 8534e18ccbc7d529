package auth

import (
	"context"
	"net/netip"
	"strings"
	"time"

	"masthead/pkg/db"
	"masthead/pkg/events"
	"masthead/pkg/identity"
)

// This file tells owners of sign-ins from new places.

const (
	// placeLife is how long a place is known after the last sign-in from it.
	placeLife = 180 * 24 * time.Hour
	// maxPlaces is how many places of an account are known: the latest ones.
	maxPlaces = 100
)

// notePlace records the network that a session begins in. If the account was signed in to before, but not from there,
// it publishes [events.NewPlace]. It does nothing without an address, as in a command.
func (s *Service) notePlace(ctx context.Context, tx *db.Tx, caller identity.Caller, opened session) error {
	network := placeOf(caller.Address)
	if network == "" {
		return nil
	}
	isNew, err := seePlace(ctx, tx, opened.UserID, network, opened.CreatedAt, placeLife)
	if err != nil || !isNew {
		return err
	}
	return events.NewPlace.Publish(ctx, tx, s.events, opened.UserID, events.SignIn{
		SessionId: opened.ID, Network: network, Device: deviceOf(caller.Agent),
	})
}

// placeOf returns the network that counts as one place, a /24 of IPv4 or a /48 of IPv6: a provider moves its customers
// within it. It is "" for no address.
func placeOf(address netip.Addr) string {
	address = address.Unmap().WithZone("")
	bits := 48
	if address.Is4() {
		bits = 24
	}
	network, err := address.Prefix(bits)
	if err != nil || !network.IsValid() {
		return ""
	}
	return network.String()
}

// token is a text in a User-Agent and what it stands for.
type token struct{ text, name string }

// Tokens of browsers and systems, more specific ones first: Edge and Opera name Chrome too, Chrome names Safari, and
// Android names Linux.
var (
	browsers = []token{
		{"Edg", "Edge"}, {"OPR", "Opera"}, {"Firefox", "Firefox"}, {"FxiOS", "Firefox"}, {"CriOS", "Chrome"},
		{"Chrome", "Chrome"}, {"Safari", "Safari"}, {"curl", "curl"},
	}
	systems = []token{
		{"Android", "Android"}, {"iPhone", "iPhone"}, {"iPad", "iPad"}, {"Windows", "Windows"}, {"Mac OS X", "macOS"},
		{"CrOS", "ChromeOS"}, {"Linux", "Linux"},
	}
)

// deviceOf returns the browser and the system that a User-Agent names, such as "Firefox on Windows"; "" if it names
// neither. Only fixed words are returned, never text of the client.
func deviceOf(agent string) string {
	browser, system := named(agent, browsers), named(agent, systems)
	if browser != "" && system != "" {
		return browser + " on " + system
	}
	return browser + system
}

// named returns the name of the first token in text, or "".
func named(text string, tokens []token) string {
	for _, t := range tokens {
		if strings.Contains(text, t.text) {
			return t.name
		}
	}
	return ""
}
