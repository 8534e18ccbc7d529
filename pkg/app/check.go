package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"net"
	"net/netip"
	"net/url"
	"os"
	"runtime"
	"slices"
	"strings"
	"time"

	"masthead/pkg/blob"
	"masthead/pkg/blob/s3"
	"masthead/pkg/db"
	"masthead/pkg/humanize"
)

// State is the result of a check.
type State string

// The results. With Failed, the service can't start, or something that is configured doesn't work. With Warned it
// works, but not as most operators want.
const (
	Passed State = "ok"
	Warned State = "warn"
	Failed State = "FAIL"
)

// Check is the result for one part of a configuration, with a sentence for the operator.
type Check struct {
	Part  string
	State State
	Says  string
}

// Limits of the checks.
const (
	engineTime = 5 * time.Second // for a connection to an engine
	lookupTime = 3 * time.Second // for all DNS lookups
	// clockSlack is how far two clocks may differ: session tokens and one-time codes allow about as much.
	clockSlack = 30 * time.Second
)

// checks collects results.
type checks []Check

func (c *checks) add(part string, state State, format string, args ...any) {
	*c = append(*c, Check{part, state, fmt.Sprintf(format, args...)})
}

// must adds a result that is Failed if err isn't nil.
func (c *checks) must(part string, err error, format string, args ...any) {
	if err != nil {
		c.add(part, Failed, "%s", strings.ReplaceAll(err.Error(), "\n", ". "))
		return
	}
	c.add(part, Passed, format, args...)
}

// Check checks a configuration without starting the service: its values, the data folder, the clock, the DNS and all
// that it depends on. It writes a file in the data folder and in the cache folder, which it deletes, and sends nothing
// but DNS lookups, an empty connection to each engine and a question to the S3 store. built is the day of the
// program's revision; zero if unknown.
func (c Config) Check(ctx context.Context, built time.Time) []Check {
	var out checks
	out.must("settings", c.Validate(), "Every value is valid.")
	folder := c.prepare()
	out.must("data folder", folder, "We can write to %s.", c.DataDir)
	if folder == nil {
		c.checkPermissions(&out)
		c.checkDisk(&out)
	}
	c.checkDatabase(ctx, &out)
	c.checkPictures(ctx, &out)
	c.checkClock(ctx, &out, built)
	c.checkEngines(ctx, &out)
	c.checkNames(ctx, &out)
	out.add("addresses", Passed, "%s", c.addresses())
	out.add("outgoing", Passed, "%s", outgoing(ctx))
	return out
}

// checkPermissions checks who else can read the secrets in the data folder.
func (c Config) checkPermissions(out *checks) {
	if runtime.GOOS == "windows" {
		out.add("permissions", Passed, "Windows has no file modes: %s has the rights of its parent folder.", c.DataDir)
		return
	}
	var open []string
	for _, path := range []string{c.database().File(), c.path(secretName)} {
		if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, fmt.Sprintf("%s has mode %04o", path, info.Mode().Perm()))
		}
	}
	if len(open) > 0 {
		out.add("permissions", Failed, "Other users of this machine can read secrets: %s. `chmod 600` makes them private.",
			humanize.And(open))
		return
	}
	if c.Auth.Secret == "" && c.Database.URL == "" {
		if kept, err := c.Kept(secretName); !errors.Is(err, fs.ErrNotExist) {
			if err == nil {
				_, err = readSecret(c.path(secretName), kept)
			}
			if err != nil {
				out.must("permissions", err, "")
				return
			}
		}
	}
	out.add("permissions", Passed, "Only the owner of %s can read the secrets in it.", c.DataDir)
}

// checkDisk checks the free disk space.
func (c Config) checkDisk(out *checks) {
	free, least, err := blob.Free(c.DataDir)
	switch {
	case errors.Is(err, errors.ErrUnsupported):
		out.add("disk", Passed, "Free space can't be measured on this system.")
	case err != nil:
		out.must("disk", err, "")
	case free < least:
		out.add("disk", Failed, "%s are free and %s must be, so new pictures are refused: make room.",
			humanize.Bytes(int64(free)), humanize.Bytes(int64(least)))
	default:
		out.add("disk", Passed, "%s are free; below %s, new pictures are refused.",
			humanize.Bytes(int64(free)), humanize.Bytes(int64(least)))
	}
}

// checkDatabase checks that the database responds and has no newer schema.
func (c Config) checkDatabase(ctx context.Context, out *checks) {
	err := db.Reach(ctx, c.database())
	var schema db.Schema
	if err == nil {
		schema, err = db.ReadSchema(ctx, c.database())
	}
	if err == nil && len(schema.Newer()) > 0 {
		err = ErrNewer
	}
	if err == nil && c.Database.URL != "" {
		_, err = c.signingSecret()
	}
	engine := "The embedded SQLite"
	if c.Database.URL != "" {
		engine = "Postgres"
	}
	pending := "and its schema is up to date"
	if missing := len(schema.Missing()); len(schema.Applied) == 0 {
		pending = "and the first start creates its tables"
	} else if missing > 0 {
		pending = "and the next start applies " + humanize.Count(missing, "migration")
	}
	out.must("database", err, "%s responds, %s.", engine, pending)
	if err == nil && c.Database.Pooled() {
		c.checkPooler(ctx, out)
	}
}

// checkPooler checks that Postgres itself ends what takes too long, since a pooler lets nobody else say so.
func (c Config) checkPooler(ctx context.Context, out *checks) {
	missing, err := db.MissingLimits(ctx, c.database())
	if err == nil && len(missing) > 0 {
		out.add("pooler", Warned, "Postgres lets statements and transactions take any time: run `ALTER ROLE … SET %s` "+
			"with the role of MASTHEAD_DATABASE_URL, and restart the pooler.", strings.Join(missing, "` and `ALTER ROLE … SET "))
		return
	}
	out.must("pooler", err, "Postgres ends what takes too long.")
}

// checkPictures checks where the pictures are kept.
func (c Config) checkPictures(ctx context.Context, out *checks) {
	if !c.S3.Enabled() {
		says := "They are in the data folder (MASTHEAD_S3_ENDPOINT)."
		if c.Database.URL != "" {
			says = "They are in the data folder, which all nodes must share (MASTHEAD_S3_ENDPOINT)."
		}
		out.add("pictures", Passed, "%s", says)
		return
	}
	store, err := s3.Open(c.S3, bucketFolders[imagesFolder])
	if err == nil {
		err = store.Check(ctx)
	}
	if err == nil && c.CacheDir != "" {
		if _, err = blob.OpenCache(store, c.CacheDir, imagesFolder, c.CacheMB<<20); err == nil {
			_, err = Storage{DataDir: c.CacheDir}.probe()
		}
		if err != nil {
			err = fmt.Errorf("MASTHEAD_CACHE_DIR: the folder %s cannot be used: %w", c.CacheDir, err)
		}
	}
	out.must("pictures", err, "The bucket %s can be used.", c.S3.Bucket)
}

// checkClock compares the clock with the program's age, the file system's and the database's.
func (c Config) checkClock(ctx context.Context, out *checks, built time.Time) {
	now := time.Now()
	if now.Before(built) {
		out.add("clock", Failed, "The clock says %s, but this program is from %s: set it, for sessions depend on it.",
			now.UTC().Format(time.RFC3339), built.Format(time.DateOnly))
		return
	}
	compared := map[string]time.Time{}
	if !built.IsZero() {
		compared["the program's date"] = now
	}
	if made, err := c.probe(); err == nil {
		compared["the data folder's"] = made
	}
	if c.Database.URL != "" {
		if there, err := db.Clock(ctx, c.database()); err == nil {
			compared["the database's"] = there
		}
	}
	for whose, there := range compared {
		if off := time.Until(there).Abs(); off > clockSlack {
			out.add("clock", Failed, "It differs from %s by %s: synchronize both, for sessions and one-time codes depend on it.",
				whose, off.Round(time.Second))
			return
		}
	}
	says := "It says " + now.UTC().Format(time.RFC3339)
	if len(compared) > 0 {
		says += ", and agrees with " + humanize.And(slices.Sorted(maps.Keys(compared)))
	}
	out.add("clock", Passed, "%s.", says)
}

// engine is something else that the service depends on.
type engine struct{ part, address, off, what string }

// engines returns what is configured beside the database; those without an address are off.
func (c Config) engines() []engine {
	smtp := ""
	if c.Mail.Enabled() {
		smtp = c.Mail.Address()
	}
	stripe := ""
	if c.Payments.Enabled() {
		stripe = hostPort(c.Payments.Address())
	}
	return []engine{
		{"limits", c.Limits.Address(), "Each node counts requests alone (MASTHEAD_REDIS_URL).", "Redis"},
		{"mail", smtp, "Mail is off: emails wait in the outbox (MASTHEAD_SMTP_HOST).", "The mail server"},
		{"AI", hostPort(c.AI.BaseURL), "AI is off (MASTHEAD_AI_BASE_URL).", "The AI provider"},
		{"sign-in", hostPort(c.OIDC.Issuer), "Accounts sign in here alone (MASTHEAD_OIDC_ISSUER).", "The OpenID Connect provider"},
		{"payments", stripe, "Plans can't be bought (MASTHEAD_STRIPE_SECRET_KEY).", "Stripe"},
	}
}

// hostPort returns the host and port of a URL; "" for one without a host.
func hostPort(address string) string {
	u, err := url.Parse(address)
	if err != nil || u.Hostname() == "" {
		return ""
	}
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443"}[u.Scheme]
	}
	return net.JoinHostPort(u.Hostname(), port)
}

// checkEngines connects to each engine: to addresses of settings alone.
func (c Config) checkEngines(ctx context.Context, out *checks) {
	for _, e := range c.engines() {
		if e.address == "" {
			out.add(e.part, Passed, "%s", e.off)
			continue
		}
		conn, err := (&net.Dialer{Timeout: engineTime}).DialContext(ctx, "tcp", e.address) //nolint:forbidigo // see above
		if err == nil {
			err = conn.Close()
		}
		if err != nil {
			out.add(e.part, Failed, "%s at %s can't be reached: %v.", e.what, e.address, err)
			continue
		}
		out.add(e.part, Passed, "%s at %s accepts connections.", e.what, e.address)
	}
}

// checkNames looks up the public name of the service, or, if it has none, the root of the DNS: without DNS, no page
// can be read.
func (c Config) checkNames(ctx context.Context, out *checks) {
	ctx, cancel := context.WithTimeout(ctx, lookupTime)
	defer cancel()
	host := hostPort(c.Server.BaseURL)
	if host != "" {
		host, _, _ = net.SplitHostPort(host)
	}
	if _, err := netip.ParseAddr(host); err == nil || host == "" {
		if _, err := net.DefaultResolver.LookupNS(ctx, "."); err != nil {
			out.add("DNS", Warned, "No name can be looked up, so pages on the public web can't be read: %v.", err)
			return
		}
		out.add("DNS", Passed, "The resolver responds.")
		return
	}
	addresses, err := net.DefaultResolver.LookupHost(ctx, host)
	if err != nil {
		out.add("DNS", Warned, "The host of MASTHEAD_BASE_URL has no address here: %v.", err)
		return
	}
	out.add("DNS", Passed, "%s is %s.", host, humanize.And(addresses))
}

// addresses says which addresses the service fetches.
func (c Config) addresses() string {
	if len(c.Fetch.Allow) == 0 {
		return "Only addresses on the public web are fetched. MASTHEAD_FETCH_ALLOW opens private ones, such as " +
			"MASTHEAD_FETCH_ALLOW=10.1.0.0/16,127.0.0.1/32:3000."
	}
	return "Besides the public web, MASTHEAD_FETCH_ALLOW opens " + strings.Join(c.Fetch.Allow, ", ") + "."
}

// outgoing says which of this machine's addresses requests to the public web come from. A UDP socket that is only
// connected sends nothing, but the kernel chooses its route. The addresses are for documentation: RFC 5737, RFC 3849.
func outgoing(ctx context.Context) string {
	var own []string
	for _, public := range []string{"192.0.2.1:9", "[2001:db8::1]:9"} {
		conn, err := new(net.Dialer).DialContext(ctx, "udp", public) //nolint:forbidigo // it sends nothing
		if err != nil {
			continue
		}
		if host, _, err := net.SplitHostPort(conn.LocalAddr().String()); err == nil {
			own = append(own, host)
		}
		_ = conn.Close()
	}
	if len(own) == 0 {
		return "This machine has no route to the public web."
	}
	return "Requests to the public web leave from " + humanize.And(own) + "; a router may translate that."
}
