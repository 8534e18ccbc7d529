package server

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
)

// Config is where and how the service answers.
type Config struct {
	Addr           string   `name:"addr" env:"MASTHEAD_ADDR" default:"127.0.0.1:8080" placeholder:"HOST:PORT" help:"Where the service listens."`
	BaseURL        string   `name:"base-url" env:"MASTHEAD_BASE_URL" placeholder:"URL" help:"The public address of the service, without a path; http:// and the listening address when empty."`
	CDNURL         string   `name:"cdn-url" env:"MASTHEAD_CDN_URL" placeholder:"URL" help:"The public address of /cdn; the base URL when empty."`
	TrustedProxies []string `name:"trusted-proxies" env:"MASTHEAD_TRUSTED_PROXIES" sep:"," placeholder:"PREFIX" help:"Proxies whose X-Forwarded-For counts, as prefixes such as 10.0.0.0/8."`
	AuthRPM        int64    `name:"rpm-auth" env:"MASTHEAD_RPM_AUTH" default:"20" help:"Requests a minute and address to the operations that sign in."`
}

// Validate reports everything that is wrong, naming the variables.
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
		// Cookies, the check of where a request comes from and the addresses of pages count from the root.
		faults = append(faults, fmt.Errorf(
			"MASTHEAD_BASE_URL must have no path: the service answers at the root of a host, such as %s://%s", u.Scheme, u.Host))
	}
	if _, err := c.proxies(); err != nil {
		faults = append(faults, err)
	}
	if c.AuthRPM < 1 || c.AuthRPM > 100_000 {
		faults = append(faults, fmt.Errorf("MASTHEAD_RPM_AUTH must be from 1 to 100000, not %d", c.AuthRPM))
	}
	return errors.Join(faults...)
}

// isBase says whether an address may stand before paths.
func isBase(address string) bool {
	u, err := url.Parse(address)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && u.Host != "" &&
		u.RawQuery == "" && u.Fragment == "" && u.User == nil
}

// Public returns the base address that goes into responses, without a slash at its end.
func (c Config) Public() string {
	if c.BaseURL != "" {
		return strings.TrimRight(c.BaseURL, "/")
	}
	host, port, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return "http://" + c.Addr
	}
	if ip, err := netip.ParseAddr(host); host == "" || (err == nil && ip.IsUnspecified()) {
		host = "localhost" // every interface: the one that the operator surely reaches
	}
	return "http://" + net.JoinHostPort(host, port)
}

// PublicCDN returns the base address of /cdn, without a slash at its end.
func (c Config) PublicCDN() string {
	if c.CDNURL != "" {
		return strings.TrimRight(c.CDNURL, "/")
	}
	return c.Public()
}

// Loopback says whether only this machine can reach the service.
func (c Config) Loopback() bool {
	host, _, err := net.SplitHostPort(c.Addr)
	if err != nil {
		return false
	}
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.IsLoopback()
}

func (c Config) baseHost() string {
	u, err := url.Parse(c.Public())
	if err != nil {
		return ""
	}
	return u.Host
}

func (c Config) proxies() ([]*net.IPNet, error) {
	var nets []*net.IPNet
	for _, text := range c.TrustedProxies {
		text = strings.TrimSpace(text)
		if ip, err := netip.ParseAddr(text); err == nil {
			text = netip.PrefixFrom(ip, ip.BitLen()).String()
		}
		_, n, err := net.ParseCIDR(text)
		if err != nil {
			return nil, fmt.Errorf("MASTHEAD_TRUSTED_PROXIES must hold addresses or prefixes such as 10.0.0.0/8, not %q", text)
		}
		nets = append(nets, n)
	}
	return nets, nil
}
