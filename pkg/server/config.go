package server

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"masthead/pkg/limit"
	"masthead/pkg/weburl"
)

// Config configures the service's addresses and limits.
type Config struct {
	Addr           string   `name:"addr" env:"MASTHEAD_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Address that the service listens on."`
	BaseURL        string   `name:"base-url" env:"MASTHEAD_BASE_URL" placeholder:"URL" help:"Public address of the service, without a path. If empty, http:// and the listening address."`
	CDNURL         string   `name:"cdn-url" env:"MASTHEAD_CDN_URL" placeholder:"URL" help:"Public address of /cdn. If empty, the base URL."`
	TrustedProxies []string `name:"trusted-proxies" env:"MASTHEAD_TRUSTED_PROXIES" sep:"," placeholder:"PREFIX" help:"Proxies whose X-Forwarded-For header is believed, as prefixes such as 10.0.0.0/8."`
	Connections    int      `name:"connections" env:"MASTHEAD_CONNECTIONS" default:"10000" help:"Maximum number of open connections, besides 64 reserved for health checks."`
	AddressConns   int      `name:"address-connections" env:"MASTHEAD_ADDRESS_CONNECTIONS" default:"256" help:"Maximum number of open connections of one client address (IPv4, or an IPv6 /64). Trusted proxies have no limit."`
	AuthRPM        int64    `name:"rpm-auth" env:"MASTHEAD_RPM_AUTH" default:"20" help:"Sign-in requests per minute and client address."`
	PreviewRPM     int64    `name:"rpm-preview" env:"MASTHEAD_RPM_PREVIEW" default:"10" help:"Previews per minute and account."`
	DesignsRPM     int64    `name:"rpm-designs" env:"MASTHEAD_RPM_DESIGNS" default:"600" help:"Previews of own designs per minute and account."`
	BreakerRPM     int64    `name:"breaker-rpm" env:"MASTHEAD_BREAKER_RPM" default:"600" help:"Requests per minute above which a client address is refused, for a minute at first and longer each time."`
	BreakerMisses  int64    `name:"breaker-misses-rpm" env:"MASTHEAD_BREAKER_MISSES_RPM" default:"60" help:"The same limit for /og requests that need a new picture."`
	Crawlers       []string `name:"crawlers" env:"MASTHEAD_CRAWLERS" sep:"," default:"Twitterbot,LinkedInBot,Slackbot,Discordbot,facebookexternalhit,FacebookBot,WhatsApp,TelegramBot" placeholder:"NAME" help:"Parts of the user agents of crawlers that are exempt from the rate limit of /og."`
}

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	if _, port, err := net.SplitHostPort(c.Addr); err != nil || port == "" {
		faults = append(faults, fmt.Errorf("MASTHEAD_ADDR must be HOST:PORT, such as 127.0.0.1:8080, not %q", c.Addr))
	}
	for _, v := range []struct{ name, value string }{{"MASTHEAD_BASE_URL", c.BaseURL}, {"MASTHEAD_CDN_URL", c.CDNURL}} {
		if v.value == "" {
			continue
		}
		if !isBase(v.value) {
			faults = append(faults, fmt.Errorf(
				"%s must be an address like https://masthead.example.com, without query, user or password", v.name))
		}
	}
	if u, err := url.Parse(c.BaseURL); err == nil && isBase(c.BaseURL) && strings.Trim(u.Path, "/") != "" {
		// Cookies, the check of a request's origin and the addresses of pages assume the root.
		faults = append(faults, fmt.Errorf(
			"MASTHEAD_BASE_URL must have no path: the service answers at the root of a host, such as %s://%s", u.Scheme, u.Host))
	}
	if _, err := c.proxies(); err != nil {
		faults = append(faults, err)
	}
	for _, v := range []struct {
		name  string
		value int
	}{{"MASTHEAD_CONNECTIONS", c.Connections}, {"MASTHEAD_ADDRESS_CONNECTIONS", c.AddressConns}} {
		if v.value < 0 || v.value > mostConnections {
			faults = append(faults, fmt.Errorf("%s must be from 1 to %d, not %d", v.name, mostConnections, v.value))
		}
	}
	if c.AuthRPM < 1 || c.AuthRPM > 100_000 {
		faults = append(faults, fmt.Errorf("MASTHEAD_RPM_AUTH must be from 1 to 100000, not %d", c.AuthRPM))
	}
	for _, v := range []struct {
		name  string
		value int64
	}{
		{"MASTHEAD_RPM_PREVIEW", c.PreviewRPM}, {"MASTHEAD_RPM_DESIGNS", c.DesignsRPM},
		{"MASTHEAD_BREAKER_RPM", c.BreakerRPM},
		{"MASTHEAD_BREAKER_MISSES_RPM", c.BreakerMisses},
	} {
		if v.value < 0 || v.value > maxRPM {
			faults = append(faults, fmt.Errorf("%s must be from 1 to %d, not %d", v.name, maxRPM, v.value))
		}
	}
	return errors.Join(faults...)
}

// maxRPM is the upper bound of settings of requests per minute.
const maxRPM = 10_000_000

// crawlers are substrings of the user agents of social networks and messengers. Source: docs/platforms.md.
var crawlers = []string{
	"Twitterbot", "LinkedInBot", "Slackbot", "Discordbot", "facebookexternalhit", "FacebookBot", "WhatsApp", "TelegramBot",
}

// withDefaults sets the defaults of unset limits.
func (c Config) withDefaults() Config {
	for _, f := range []struct {
		value *int64
		usual int64
	}{{&c.PreviewRPM, 10}, {&c.DesignsRPM, 600}, {&c.BreakerRPM, 600}, {&c.BreakerMisses, 60}} {
		*f.value = cmp.Or(*f.value, f.usual)
	}
	if len(c.Crawlers) == 0 {
		c.Crawlers = crawlers
	}
	return c
}

// NewBreaker returns a breaker with the limits of c, which counts in s.
func (c Config) NewBreaker(s *limit.Store) *limit.Breaker {
	c = c.withDefaults()
	return s.Breaker("addresses", c.BreakerRPM, c.BreakerMisses)
}

// isBase reports whether paths can be appended to an address.
func isBase(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// Public returns the base address for responses, without a trailing slash.
func (c Config) Public() string {
	if c.BaseURL != "" {
		return strings.TrimRight(c.BaseURL, "/")
	}
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return "http://" + c.Addr
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "localhost" // every interface: the one that the operator can certainly reach
	}
	return "http://" + net.JoinHostPort(host, port)
}

// PublicCDN returns the base address of /cdn, without a trailing slash.
func (c Config) PublicCDN() string {
	if c.CDNURL != "" {
		return strings.TrimRight(c.CDNURL, "/")
	}
	return c.Public()
}

// Loopback reports whether only this machine can reach the service.
func (c Config) Loopback() bool { return weburl.IsLoopback(c.Addr) }

// connections and addressConnections are the settings, or the defaults where they are zero.
func (c Config) connections() int        { return cmp.Or(c.Connections, maxConnections) }
func (c Config) addressConnections() int { return cmp.Or(c.AddressConns, maxAddressConnections) }

func (c Config) baseHost() string {
	u, err := url.Parse(c.Public())
	if err != nil {
		return ""
	}
	return u.Host
}

func (c Config) proxies() (proxySet, error) {
	var proxies proxySet
	for _, text := range c.TrustedProxies {
		text = strings.TrimSpace(text)
		prefix, err := netip.ParsePrefix(text)
		if err != nil {
			var address netip.Addr
			address, err = netip.ParseAddr(text)
			prefix = netip.PrefixFrom(address, address.BitLen())
		}
		if err != nil || prefix.Addr().Zone() != "" {
			return nil, fmt.Errorf("MASTHEAD_TRUSTED_PROXIES must hold addresses or prefixes such as 10.0.0.0/8, not %q", text)
		}
		if mapped := prefix.Addr(); mapped.Is4In6() && prefix.Bits() >= 96 {
			prefix = netip.PrefixFrom(mapped.Unmap(), prefix.Bits()-96)
		}
		proxies = append(proxies, prefix.Masked())
	}
	return proxies, nil
}
