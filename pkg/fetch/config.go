package fetch

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
)

// Config says what may be reached and who we say we are. The zero value reaches the public web alone, under the
// default limits.
type Config struct {
	// Allow opens addresses that are refused otherwise, for development and intranets: "prefix[:port]" each, such as
	// "127.0.0.1/32:8099" or "10.1.0.0/16"; an address alone is a prefix of one. Hosts that resolve into opened
	// prefixes alone are also free of the rules about names and ports, and of the limits of a host.
	Allow []string `name:"fetch-allow" env:"MASTHEAD_FETCH_ALLOW" sep:"," placeholder:"PREFIX[:PORT]" help:"Private addresses that may be fetched, such as 127.0.0.1/32:8099."`
	// Deny closes addresses, in the same form: the deployment's own public addresses and whatever the operator names.
	// It is stronger than Allow.
	Deny []string `name:"fetch-deny" env:"MASTHEAD_FETCH_DENY" sep:"," placeholder:"PREFIX[:PORT]" help:"Further addresses that are never fetched: the deployment's own, and others."`
	// Ports are the ports that may be fetched from; none means 80 and 443.
	Ports []uint16 `name:"fetch-ports" env:"MASTHEAD_FETCH_PORTS" sep:"," help:"Ports that may be fetched from, instead of 80 and 443."`
	// ContactURL stands in the User-Agent, so that whoever runs a site can find us.
	ContactURL string `name:"fetch-contact" env:"MASTHEAD_FETCH_CONTACT" help:"Address in the User-Agent where site owners find out who is fetching."`
	// Version is our own version in the User-Agent.
	Version string `kong:"-"`
	// UserAgent replaces the whole User-Agent header. For the command line alone: a service says honestly who it is.
	UserAgent string `kong:"-"`
	// AllowHosts are hosts that the operator has named on the command line, as they stand in the URL: "host" opens
	// the usual ports of it, "host:port" that one. They are fetched even when they are private; a redirect elsewhere
	// is judged as ever.
	AllowHosts []string `kong:"-"`
	// OnRefused is called for the audit log when a target was refused. It gets the host in its one spelling, never
	// more of the URL, and may be called from many goroutines.
	OnRefused func(ctx context.Context, host string) `kong:"-"`
	// Resolver looks names up; nil means the system's.
	Resolver Resolver `kong:"-"`
	// Limits bound every request.
	Limits Limits `embed:""`
}

// Limits bound every request. A field that is zero has the default of its tag.
type Limits struct {
	DNSTime     time.Duration `name:"fetch-dns-time" env:"MASTHEAD_FETCH_DNS_TIME" default:"2s" help:"Time for a name to be looked up."`
	ConnectTime time.Duration `name:"fetch-connect-time" env:"MASTHEAD_FETCH_CONNECT_TIME" default:"3s" help:"Time for a connection, over all addresses of a name."`
	TLSTime     time.Duration `name:"fetch-tls-time" env:"MASTHEAD_FETCH_TLS_TIME" default:"5s" help:"Time for the TLS handshake."`
	HeaderTime  time.Duration `name:"fetch-header-time" env:"MASTHEAD_FETCH_HEADER_TIME" default:"8s" help:"Time from the request to the end of the headers."`
	PageTime    time.Duration `name:"fetch-page-time" env:"MASTHEAD_FETCH_PAGE_TIME" default:"10s" help:"Time for a whole page, redirects included."`
	ImageTime   time.Duration `name:"fetch-image-time" env:"MASTHEAD_FETCH_IMAGE_TIME" default:"8s" help:"Time for a whole image, redirects included."`
	IconTime    time.Duration `name:"fetch-icon-time" env:"MASTHEAD_FETCH_ICON_TIME" default:"5s" help:"Time for a whole icon, manifest or robots.txt."`
	JobTime     time.Duration `name:"fetch-job-time" env:"MASTHEAD_FETCH_JOB_TIME" default:"20s" help:"Time for a page with all that hangs on it."`

	JobRequests    int `name:"fetch-job-requests" env:"MASTHEAD_FETCH_JOB_REQUESTS" default:"12" help:"Requests for a page with all that hangs on it; redirects do not count."`
	PageRedirects  int `name:"fetch-page-redirects" env:"MASTHEAD_FETCH_PAGE_REDIRECTS" default:"5" help:"Redirects followed for a page."`
	ImageRedirects int `name:"fetch-image-redirects" env:"MASTHEAD_FETCH_IMAGE_REDIRECTS" default:"3" help:"Redirects followed for an image or icon."`

	HeaderBytes int `name:"fetch-header-bytes" env:"MASTHEAD_FETCH_HEADER_BYTES" default:"65536" help:"Bytes of headers of one answer."`
	PageBytes   int `name:"fetch-page-bytes" env:"MASTHEAD_FETCH_PAGE_BYTES" default:"3145728" help:"Bytes of a page that are read, after decompression."`
	ImageBytes  int `name:"fetch-image-bytes" env:"MASTHEAD_FETCH_IMAGE_BYTES" default:"5242880" help:"Largest image in bytes."`
	IconBytes   int `name:"fetch-icon-bytes" env:"MASTHEAD_FETCH_ICON_BYTES" default:"1048576" help:"Largest icon in bytes."`
	SVGBytes    int `name:"fetch-svg-bytes" env:"MASTHEAD_FETCH_SVG_BYTES" default:"524288" help:"Largest SVG in bytes."`

	HostParallel int     `name:"fetch-origin-parallel" env:"MASTHEAD_FETCH_ORIGIN_PARALLEL" default:"4" help:"Requests to one host at once."`
	HostRate     float64 `name:"fetch-origin-rate" env:"MASTHEAD_FETCH_ORIGIN_RATE" default:"2" help:"Requests to one host a second, sustained."`
	HostBurst    int     `name:"fetch-origin-burst" env:"MASTHEAD_FETCH_ORIGIN_BURST" default:"16" help:"Requests to one host in a burst."`
}

// setting ties a limit to its variable, default and upper bound.
type setting[T int | float64 | time.Duration] struct {
	variable  string
	value     *T
	byDefault T
	most      T
}

// apply fills in the default and checks the bounds.
func (s setting[T]) apply() error {
	if *s.value == 0 {
		*s.value = s.byDefault
	}
	if *s.value < 0 || *s.value > s.most {
		return fmt.Errorf("MASTHEAD_FETCH_%s must be above 0 and at most %v; it is %v", s.variable, s.most, *s.value)
	}
	return nil
}

// resolve fills in the defaults and reports every limit that is out of bounds.
func (l *Limits) resolve() error {
	var faults []error
	for _, s := range []setting[time.Duration]{
		{"DNS_TIME", &l.DNSTime, 2 * time.Second, 10 * time.Second},
		{"CONNECT_TIME", &l.ConnectTime, 3 * time.Second, 10 * time.Second},
		{"TLS_TIME", &l.TLSTime, 5 * time.Second, 15 * time.Second},
		{"HEADER_TIME", &l.HeaderTime, 8 * time.Second, 30 * time.Second},
		{"PAGE_TIME", &l.PageTime, 10 * time.Second, time.Minute},
		{"IMAGE_TIME", &l.ImageTime, 8 * time.Second, time.Minute},
		{"ICON_TIME", &l.IconTime, 5 * time.Second, time.Minute},
		{"JOB_TIME", &l.JobTime, 20 * time.Second, 2 * time.Minute},
	} {
		faults = append(faults, s.apply())
	}
	for _, s := range []setting[int]{
		{"JOB_REQUESTS", &l.JobRequests, 12, 50},
		{"PAGE_REDIRECTS", &l.PageRedirects, 5, 10},
		{"IMAGE_REDIRECTS", &l.ImageRedirects, 3, 10},
		{"HEADER_BYTES", &l.HeaderBytes, 64 << 10, 256 << 10},
		{"PAGE_BYTES", &l.PageBytes, 3 << 20, 16 << 20},
		{"IMAGE_BYTES", &l.ImageBytes, 5 << 20, 32 << 20},
		{"ICON_BYTES", &l.IconBytes, 1 << 20, 8 << 20},
		{"SVG_BYTES", &l.SVGBytes, 512 << 10, 4 << 20},
		{"ORIGIN_PARALLEL", &l.HostParallel, 4, 64},
		{"ORIGIN_BURST", &l.HostBurst, 16, 1024},
	} {
		faults = append(faults, s.apply())
	}
	faults = append(faults, setting[float64]{"ORIGIN_RATE", &l.HostRate, 2, 1000}.apply())
	return errors.Join(faults...)
}

// withDefaults returns l with its defaults filled in. The bounds are Validate's matter.
func (l Limits) withDefaults() Limits {
	_ = l.resolve()
	return l
}

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
	return errors.Join(guardFault, portFault, contactFault, agentFault, c.Limits.resolve())
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
