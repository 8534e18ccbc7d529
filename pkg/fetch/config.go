package fetch

import (
	"errors"
	"fmt"
	"net/url"
	"reflect"
	"strconv"
	"strings"
	"time"
)

// Config says what may be reached and who we say we are. The zero value reaches the public web alone, under the
// default limits.
type Config struct {
	// Allow opens addresses that are refused otherwise, for development and intranets: "prefix[:port]" each, such as
	// "127.0.0.1/32:8099" or "10.1.0.0/16"; an address alone is a prefix of one. Hosts that resolve into opened
	// prefixes alone are also free of the rules about names and ports, and of the rate of a host; they get more at once.
	Allow []string `name:"fetch-allow" env:"MASTHEAD_FETCH_ALLOW" sep:"," placeholder:"PREFIX[:PORT]" help:"Private addresses that may be fetched, such as 127.0.0.1/32:8099."`
	// Deny closes addresses, in the same form: the deployment's own public addresses and whatever the operator names.
	// It is stronger than Allow.
	Deny []string `name:"fetch-deny" env:"MASTHEAD_FETCH_DENY" sep:"," placeholder:"PREFIX[:PORT]" help:"Further addresses that are never fetched, such as those of the deployment itself."`
	// Ports are the ports that may be fetched from; none means 80 and 443.
	Ports []uint16 `name:"fetch-ports" env:"MASTHEAD_FETCH_PORTS" sep:"," help:"Ports that may be fetched from, instead of 80 and 443."`
	// ContactURL stands in the User-Agent, so that whoever runs a site can find us.
	ContactURL string `name:"fetch-contact" env:"MASTHEAD_FETCH_CONTACT" help:"Address in our User-Agent that tells site owners who is fetching. If empty, the base URL."`
	// Version is our own version in the User-Agent.
	Version string `kong:"-"`
	// UserAgent replaces the whole User-Agent header. For the command line alone: a service says honestly who it is.
	UserAgent string `kong:"-"`
	// AllowHosts are hosts that the operator has named on the command line, as they stand in the URL: "host" opens
	// the usual ports of it, "host:port" that one. They are fetched even when they are private; a redirect elsewhere
	// is judged as ever. Those on this machine (loopback) are also free of the rate of a host.
	AllowHosts []string `kong:"-"`
	// Local says that whoever calls the service operates it too, since only this machine reaches it: refusals say which
	// setting opens an address.
	Local bool `kong:"-"`
	// Origin, unless it is zero, has the pages of one site read from another server, which the guard judges in its place.
	// For the command line alone.
	Origin Origin `kong:"-"`
	// Kept, unless it is nil, holds what is fetched for as long as it is used. For the command line alone.
	Kept *Kept `kong:"-"`
	// Operator says that the operator asks for everything, as on the command line: jobs without an owner are not those of
	// strangers, whose budgets are smaller.
	Operator bool `kong:"-"`
	// Resolver looks names up; nil means the system's.
	Resolver Resolver `kong:"-"`
	// Limits bound every request.
	Limits Limits `embed:"" prefix:"fetch-" envprefix:"MASTHEAD_FETCH_"`
}

// Limits bound every request. The table is the one place of their defaults and upper bounds: a field that is zero has
// the default of its tag, and may be no more than its most. Sizes are in bytes after decompression.
//
// No most is above what the readers take, page.MaxBytes and picture.MaxFileBytes, nor above the time that images have
// for reading, so that every setting does what it says; a test of package images holds that.
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

// envPrefix stands before the variables of the limits.
const envPrefix = "MASTHEAD_FETCH_"

// resolve fills in the defaults and reports every limit that is out of bounds.
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

// bound gives a limit that is zero the default of its tag, and reports whether it is out of bounds.
func bound[T int | float64 | time.Duration](
	value *T, tag reflect.StructTag, parse func(string) (T, error),
) (outside bool) {
	byDefault, defaultErr := parse(tag.Get("default"))
	most, mostErr := parse(tag.Get("most"))
	if err := errors.Join(defaultErr, mostErr); err != nil {
		panic("fetch: the tag of a limit: " + err.Error())
	}
	if *value == 0 {
		*value = byDefault
	}
	return !(*value > 0 && *value <= most) // so that NaN is outside
}

// withDefaults returns l with its defaults filled in. The bounds are Validate's matter.
func (l Limits) withDefaults() Limits {
	_ = l.resolve()
	return l
}

// exemptParallel is how many requests go at once to a host that is exempt from the rate. Source: 16, unless others get
// more.
func (l Limits) exemptParallel() int { return max(16, l.HostParallel) }

// patience is how long a request that the end of its job cut short must have waited to say something about the host.
func (l Limits) patience() time.Duration { return min(l.HeaderTime, l.JobTime) / 2 }

// Validate reports every setting that is wrong, each in a sentence that names its variable.
func (c Config) Validate() error {
	_, guardFault := newGuard(c)
	var contactFault, portFault, agentFault error
	if c.ContactURL != "" {
		if u, err := url.Parse(c.ContactURL); err != nil || u.Host == "" || strings.ContainsAny(c.ContactURL, " ()\r\n") {
			contactFault = fmt.Errorf("MASTHEAD_FETCH_CONTACT is no URL: %q", c.ContactURL)
		}
	}
	for _, p := range c.Ports {
		if p == 0 {
			portFault = errors.New("MASTHEAD_FETCH_PORTS holds port 0")
		}
	}
	for _, b := range []byte(c.UserAgent + c.Version) {
		if b < ' ' || b > '~' {
			agentFault = errors.New("the user agent may hold printable ASCII alone")
		}
	}
	return errors.Join(guardFault, portFault, contactFault, agentFault, c.Origin.validate(), c.Limits.resolve())
}

// Warnings returns sentences for the log at start: opened private addresses on a service that others can reach.
func (c Config) Warnings(listensOnLoopback bool) []string {
	if len(c.Allow) == 0 || listensOnLoopback {
		return nil
	}
	return []string{"MASTHEAD_FETCH_ALLOW opens " + strings.Join(c.Allow, ", ") +
		" to everybody who can reach this service, which does not listen on loopback alone."}
}

// userAgent returns the User-Agent, in the form that crawlers use.
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
