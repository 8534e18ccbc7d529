package monitor

import (
	"errors"
	"fmt"
	"net"
	"strings"

	"masthead/pkg/weburl"
)

// minTokenBytes is the minimum token length. 16 random bytes can't be guessed.
const minTokenBytes = 16

// Config configures the operator's listener. The zero value turns it off.
type Config struct {
	Addr  string `name:"admin-addr" env:"MASTHEAD_ADMIN_ADDR" placeholder:"HOST:PORT" help:"Address that serves metrics (/metrics) and profiles (/debug/pprof/). If empty, they are off."`
	Token string `name:"admin-token" env:"MASTHEAD_ADMIN_TOKEN" placeholder:"…" help:"Bearer token for metrics and profiles. Required unless MASTHEAD_ADMIN_ADDR is a loopback address."`
}

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	if c.Addr == "" && c.Token == "" {
		return nil
	}
	var faults []error
	switch _, port, err := net.SplitHostPort(c.Addr); {
	case c.Addr == "":
		faults = append(faults, errors.New("MASTHEAD_ADMIN_TOKEN has no use without MASTHEAD_ADMIN_ADDR"))
	case err != nil || port == "":
		faults = append(faults,
			fmt.Errorf("MASTHEAD_ADMIN_ADDR must be HOST:PORT, such as 127.0.0.1:9090, not %q", c.Addr))
	case c.Token == "" && !weburl.IsLoopback(c.Addr):
		faults = append(faults, fmt.Errorf("MASTHEAD_ADMIN_TOKEN is missing: other machines can reach %s, where "+
			"MASTHEAD_ADMIN_ADDR serves metrics and profiles; `openssl rand -base64 32` generates one", c.Addr))
	}
	if c.Token != "" && len(c.Token) < minTokenBytes {
		faults = append(faults, fmt.Errorf("MASTHEAD_ADMIN_TOKEN is too short, with %d bytes: it must have at least %d, "+
			"such as those of `openssl rand -base64 32`", len(c.Token), minTokenBytes))
	}
	if strings.TrimSpace(c.Token) != c.Token {
		faults = append(faults, errors.New("MASTHEAD_ADMIN_TOKEN begins or ends with white space, which no client can send"))
	}
	return errors.Join(faults...)
}
