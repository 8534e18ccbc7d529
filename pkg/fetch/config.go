package fetch

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Config configures which addresses may be reached and how we identify ourselves. The zero value reaches only the
// public web, with the default limits.
type Config struct {
	// Allow opens addresses that are refused otherwise, for development and intranets: "prefix[:port]" each, such as
	// "127.0.0.1/32:8099" or "10.1.0.0/16"; a bare address is a prefix of one. Hosts that resolve only into opened
	// prefixes are also exempt from the rules for names and ports and from the rate limit per host, and get more
	// concurrent requests.
	Allow []string `name:"fetch-allow" env:"MASTHEAD_FETCH_ALLOW" sep:"," placeholder:"PREFIX[:PORT]" help:"Private addresses that may be fetched, such as 127.0.0.1/32:8099."`
	// Deny blocks addresses, in the same form: the deployment's own public addresses and others of the operator's choice.
	// It takes precedence over Allow.
	Deny []string `name:"fetch-deny" env:"MASTHEAD_FETCH_DENY" sep:"," placeholder:"PREFIX[:PORT]" help:"Further addresses that are never fetched, such as those of the deployment itself."`
	// Ports are the ports that may be fetched from; empty means 80 and 443.
	Ports []uint16 `name:"fetch-ports" env:"MASTHEAD_FETCH_PORTS" sep:"," help:"Ports that may be fetched from, instead of 80 and 443."`
	// ContactURL is part of the User-Agent, so that site owners can find us.
	ContactURL string `name:"fetch-contact" env:"MASTHEAD_FETCH_CONTACT" help:"Address in our User-Agent that tells site owners who is fetching. If empty, the base URL."`
	// Version is our own version in the User-Agent.
	Version string `kong:"-"`
	// UserAgent replaces the whole User-Agent header. It is for the command line only: a service identifies itself
	// honestly.
	UserAgent string `kong:"-"`
	// AllowHosts are hosts that the operator named on the command line, written as in URLs: "host" opens its usual ports,
	// "host:port" that one. They are fetched even if they are private; redirects elsewhere are checked as usual. Hosts on
	// this machine (loopback) are also exempt from the rate limit per host.
	AllowHosts []string `kong:"-"`
	// Local means that the callers of the service also operate it, since only this machine reaches it: refusals then say
	// which setting opens an address.
	Local bool `kong:"-"`
	// Origin, if not zero, reads the pages of one site from another server, which the guard checks in its place. It is for
	// the command line only.
	Origin Origin `kong:"-"`
	// Kept, if not nil, caches responses for as long as it is in use. It is for the command line only.
	Kept *Memory `kong:"-"`
	// Operator means that the operator makes all requests, as on the command line: jobs without an owner then don't count
	// as those of anonymous callers, whose budgets are smaller.
	Operator bool `kong:"-"`
	// Resolver looks up names; nil means the system's resolver.
	Resolver Resolver `kong:"-"`
	// Limits bound every request.
	Limits Limits `embed:"" prefix:"fetch-" envprefix:"MASTHEAD_FETCH_"`
}

// Limits apply to every request. The tags are the one place of their defaults and upper bounds: a field that is zero
// gets the default of its tag, and may not exceed most. Sizes are in bytes after decompression.
//
// No upper bound exceeds what the readers accept, page.MaxBytes and picture.MaxFileBytes, or the time that images have
// for reading, so that every setting is effective; a test of package images verifies this.
type Limits struct {
	DNSTime     time.Duration `env:"DNS_TIME" default:"2s" most:"10s" help:"Timeout of a DNS lookup."`
	ConnectTime time.Duration `env:"CONNECT_TIME" default:"3s" most:"10s" help:"Timeout of a connection, over all addresses of the name."`
	TLSTime     time.Duration `env:"TLS_TIME" default:"5s" most:"15s" help:"Timeout of the TLS handshake."`
	HeaderTime  time.Duration `env:"HEADER_TIME" default:"8s" most:"20s" help:"Timeout of the response headers."`
	PageTime    time.Duration `env:"PAGE_TIME" default:"10s" most:"20s" help:"Timeout of a whole page, redirects included."`
	ImageTime   time.Duration `env:"IMAGE_TIME" default:"8s" most:"20s" help:"Timeout of a whole image, redirects included."`
	IconTime    time.Duration `env:"ICON_TIME" default:"5s" most:"20s" help:"Timeout of a whole icon or text file."`
	JobTime     time.Duration `env:"JOB_TIME" default:"20s" most:"20s" help:"Timeout of a page with everything it refers to."`

	JobRequests    int `env:"JOB_REQUESTS" default:"12" most:"50" help:"Maximum number of requests for a page with everything it refers to, not counting redirects."`
	PageRedirects  int `env:"PAGE_REDIRECTS" default:"5" most:"10" help:"Maximum number of redirects of a page."`
	ImageRedirects int `env:"IMAGE_REDIRECTS" default:"3" most:"10" help:"Maximum number of redirects of an image or icon."`

	HeaderBytes int `env:"HEADER_BYTES" default:"65536" most:"262144" help:"Maximum bytes of response headers."`
	PageBytes   int `env:"PAGE_BYTES" default:"3145728" most:"3145728" help:"Maximum bytes read of a page, after decompression."`
	ImageBytes  int `env:"IMAGE_BYTES" default:"5242880" most:"5242880" help:"Largest image, in bytes."`
	IconBytes   int `env:"ICON_BYTES" default:"1048576" most:"5242880" help:"Largest icon, in bytes."`
	SVGBytes    int `env:"SVG_BYTES" default:"524288" most:"4194304" help:"Largest SVG, in bytes."`

	HostParallel int     `name:"origin-parallel" env:"ORIGIN_PARALLEL" default:"4" most:"64" help:"Maximum number of concurrent requests to one host."`
	HostRate     float64 `name:"origin-rate" env:"ORIGIN_RATE" default:"2" most:"1000" help:"Requests per second to one registrable domain."`
	HostBurst    int     `name:"origin-burst" env:"ORIGIN_BURST" default:"16" most:"1024" help:"Requests to one registrable domain before that rate applies."`
	HostBytes    int     `name:"origin-bytes" env:"ORIGIN_BYTES" default:"100000000" most:"2000000000" help:"Bytes per minute read from one registrable domain."`

	StrangerBytes int `name:"stranger-bytes" env:"STRANGER_BYTES" default:"20000000" most:"2000000000" help:"Bytes per minute read from one registrable domain for all anonymous callers together."`
	AddressTimes  int `name:"address-times" env:"ADDRESS_TIMES" default:"10" most:"1000" help:"Limit of anonymous callers per IP address, as a multiple of a domain's."`
	NetworkTimes  int `name:"network-times" env:"NETWORK_TIMES" default:"30" most:"1000" help:"Limit of anonymous callers per network (IPv4 /24, IPv6 /48), as a multiple of a domain's."`
}

// envPrefix is the prefix of the variables of the limits.
const envPrefix = "MASTHEAD_FETCH_"

// resolve sets the defaults and reports every limit that is out of bounds.
func (l *Limits) resolve() error {
	var faults []error
	table := reflect.ValueOf(l).Elem()
	for i := range table.NumField() {
		tag := table.Type().Field(i).Tag
		var outside bool
		switch value := table.Field(i).Addr().Interface().(type) {
		case *time.Duration:
			outside = bound(value, tag, time.ParseDuration)
		case *int:
			outside = bound(value, tag, strconv.Atoi)
		case *float64:
			outside = bound(value, tag, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) })
		default:
			panic("fetch: a limit of a type that has no bounds")
		}
		if outside {
			faults = append(faults, fmt.Errorf("%s%s must be above 0 and at most %v; it is %v",
				envPrefix, tag.Get("env"), tag.Get("most"), table.Field(i)))
		}
	}
	return errors.Join(faults...)
}

// bound sets a limit that is zero to the default of its tag, and reports whether it is out of bounds.
func bound[T int | float64 | time.Duration](
	value *T, tag reflect.StructTag, parse func(string) (T, error),
) (outside bool) {
	byDefault, defaultErr := parse(tag.Get("default"))
	most, mostErr := parse(tag.Get("most"))
	if err := errors.Join(defaultErr, mostErr); err != nil {
		panic("fetch: the tag of a limit: " + err.Error())
	}
	*value = cmp.Or(*value, byDefault)
	return !(*value > 0 && *value <= most) // written so that NaN is out of bounds
}

// withDefaults returns l with its defaults set. Validate checks the bounds.
func (l Limits) withDefaults() Limits {
	_ = l.resolve()
	return l
}

// exemptParallel is the number of concurrent requests to a host that is exempt from the rate limit: 16, unless others
// get more.
func (l Limits) exemptParallel() int { return max(16, l.HostParallel) }

// patience is how long a request that was interrupted by the end of its job must have waited to count against the host.
func (l Limits) patience() time.Duration { return min(l.HeaderTime, l.JobTime) / 2 }

// Validate reports every invalid setting by variable name.
func (c Config) Validate() error {
	_, guardFault := newGuard(c)
	var contactFault, portFault, agentFault error
	if c.ContactURL != "" {
		if u, err := url.Parse(c.ContactURL); err != nil || u.Host == "" || strings.ContainsAny(c.ContactURL, " ()\r\n") {
			contactFault = fmt.Errorf("MASTHEAD_FETCH_CONTACT is not a URL: %q", c.ContactURL)
		}
	}
	for _, p := range c.Ports {
		if p == 0 {
			portFault = errors.New("MASTHEAD_FETCH_PORTS must not contain port 0")
		}
	}
	for _, b := range []byte(c.UserAgent + c.Version) {
		if b < ' ' || b > '~' {
			agentFault = errors.New("the user agent may contain only printable ASCII")
		}
	}
	return errors.Join(guardFault, portFault, contactFault, agentFault, c.Origin.validate(), c.Limits.resolve())
}

// Warnings returns warnings for the log at startup: private addresses opened on a service that others can reach.
func (c Config) Warnings(listensOnLoopback bool) []string {
	if len(c.Allow) == 0 || listensOnLoopback {
		return nil
	}
	return []string{"MASTHEAD_FETCH_ALLOW opens " + strings.Join(c.Allow, ", ") +
		" to everyone who can reach this service, because it doesn't listen only on loopback."}
}

// userAgent returns the User-Agent in the usual form of crawlers.
func (c Config) userAgent() string {
	if c.UserAgent != "" {
		return c.UserAgent
	}
	version, contact := "dev", ""
	if c.Version != "" {
		version = c.Version
	}
	if c.ContactURL != "" {
		contact = "; +" + c.ContactURL
	}
	return "Mozilla/5.0 (compatible; Masthead/" + version + contact + ")"
}
