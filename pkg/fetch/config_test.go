package fetch_test

import (
	"errors"
	"fmt"
	"math"
	"net/http"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/fetch"
)

func TestConfigValidate_wrongSettings_namesEachVariable(t *testing.T) {
	tests := []struct {
		name string
		cfg  fetch.Config
		want string
	}{
		{"everything", fetch.Config{Allow: []string{"0.0.0.0/0"}}, "MASTHEAD_FETCH_ALLOW"},
		{"everything of IPv6", fetch.Config{Allow: []string{"::/0:80"}}, "MASTHEAD_FETCH_ALLOW"},
		{"everything, mapped", fetch.Config{Allow: []string{"::ffff:0:0/96"}}, "MASTHEAD_FETCH_ALLOW"},
		{"more than mapped", fetch.Config{Allow: []string{"::ffff:0:0/90"}}, "MASTHEAD_FETCH_ALLOW"},
		{"7 bits", fetch.Config{Allow: []string{"127.0.0.1", "10.0.0.0/7"}}, `"10.0.0.0/7" opens too much`},
		{"no prefix", fetch.Config{Allow: []string{"localhost"}},
			`MASTHEAD_FETCH_ALLOW: "localhost" is not an address prefix`},
		{"star", fetch.Config{Allow: []string{"*"}}, "MASTHEAD_FETCH_ALLOW"},
		{"port 0", fetch.Config{Allow: []string{"127.0.0.1/32:0"}}, "MASTHEAD_FETCH_ALLOW"},
		{"port 0 of an address", fetch.Config{Allow: []string{"127.0.0.1:0"}}, "MASTHEAD_FETCH_ALLOW"},
		{"port too high", fetch.Config{Allow: []string{"127.0.0.1/32:65536"}}, "MASTHEAD_FETCH_ALLOW"},
		{"empty port", fetch.Config{Allow: []string{"127.0.0.1/32:"}}, "MASTHEAD_FETCH_ALLOW"},
		{"too many bits", fetch.Config{Allow: []string{"127.0.0.1/33"}}, "MASTHEAD_FETCH_ALLOW"},
		{"deny", fetch.Config{Deny: []string{"us"}}, "MASTHEAD_FETCH_DENY"},
		{"ports", fetch.Config{Ports: []uint16{0}}, "MASTHEAD_FETCH_PORTS"},
		{"contact", fetch.Config{ContactURL: "me"}, "MASTHEAD_FETCH_CONTACT"},
		{"contact with a line end", fetch.Config{ContactURL: "https://a.example/\r\nX: 1"}, "MASTHEAD_FETCH_CONTACT"},
		{"agent", fetch.Config{UserAgent: "a\nb"}, "user agent"},
		{"named host", fetch.Config{AllowHosts: []string{"a b"}}, `"a b"`},
		{"negative time", fetch.Config{Limits: fetch.Limits{PageTime: -1}}, "MASTHEAD_FETCH_PAGE_TIME"},
		{"endless job", fetch.Config{Limits: fetch.Limits{JobTime: time.Hour}},
			"MASTHEAD_FETCH_JOB_TIME must be above 0 and at most 20s; it is 1h0m0s"},
		{"huge page", fetch.Config{Limits: fetch.Limits{PageBytes: 1 << 30}}, "MASTHEAD_FETCH_PAGE_BYTES"},
	}
	for _, test := range tests {
		err := test.cfg.Validate()
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: got %v, want a sentence with %q", test.name, err, test.want)
		}
		if _, err := fetch.New(test.cfg, nil); err == nil {
			t.Errorf("%s: New takes it", test.name)
		}
	}
}

func TestConfigValidate_rightSettings_passes(t *testing.T) {
	for _, cfg := range []fetch.Config{
		{},
		{Allow: []string{"127.0.0.1/32:8099", " 10.0.0.0/8 ", "", "192.168.1.1", "[::1]:8080", "::1", "fd00::/8:8080",
			"[fd00::]/8", "127.0.0.1:1"}},
		{Deny: []string{"0.0.0.0/0:8080", "::/0"}},
		{ContactURL: "https://masthead.example/bot", Version: "1.0", AllowHosts: []string{"localhost:3000", "[::1]:3000",
			"bücher.example"}},
	} {
		if err := cfg.Validate(); err != nil {
			t.Errorf("%+v: %v", cfg, err)
		}
	}
}

// TestLimits_eachField_isASetting keeps variables, defaults and bounds of the limits in step.
func TestLimits_eachField_isASetting(t *testing.T) {
	resolved := reflect.ValueOf(fetch.Limits{}.Resolved())
	for i := range resolved.NumField() {
		field := resolved.Type().Field(i)
		if got, want := fmt.Sprint(resolved.Field(i)), field.Tag.Get("default"); got != want {
			t.Errorf("%s: got the default %s, want %s as in the tag", field.Name, got, want)
		}
		var cfg fetch.Config
		limit := reflect.ValueOf(&cfg.Limits).Elem().Field(i)
		for _, outside := range []float64{1 << 60, -1} {
			if limit.CanInt() {
				limit.SetInt(int64(outside))
			} else {
				limit.SetFloat(outside)
			}
			variable := "MASTHEAD_FETCH_" + field.Tag.Get("env") + " "
			if err := cfg.Validate(); err == nil || !strings.Contains(err.Error(), variable) {
				t.Errorf("%s: got %v for %v, want a sentence with %s", field.Name, err, outside, variable)
			}
		}
	}
	if err := (fetch.Config{Limits: fetch.Limits{HostRate: math.NaN()}}).Validate(); err == nil {
		t.Error("a rate that is no number passes")
	}
}

func TestConfigWarnings_openedOffLoopback_saysSo(t *testing.T) {
	opened := fetch.Config{Allow: []string{"10.0.0.0/8"}}
	if got := opened.Warnings(false); len(got) != 1 || !strings.Contains(got[0], "MASTHEAD_FETCH_ALLOW opens 10.0.0.0/8") {
		t.Errorf("got %q", got)
	}
	if got := opened.Warnings(true); len(got) != 0 {
		t.Errorf("on loopback: got %q", got)
	}
	if got := (fetch.Config{}).Warnings(false); len(got) != 0 {
		t.Errorf("nothing opened: got %q", got)
	}
}

// TestGet_hostOverItsRate_isTurnedAwayUnlessExempt makes the pace felt by a host that is not exempt, and not by one
// that is.
func TestGet_hostOverItsRate_isTurnedAwayUnlessExempt(t *testing.T) {
	var requests atomic.Int32
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		if r.URL.Path == "/rest" {
			w.Header().Set("Retry-After", "20")
			w.WriteHeader(http.StatusTooManyRequests)
		}
	})
	slow := fetch.Limits{HostRate: 0.01, HostBurst: 2}
	off, names := offLoopback(t, addr)
	named := client(t, fetch.Config{AllowHosts: []string{off}, Resolver: names, Limits: slow})
	for range 2 {
		mustGet(t, named, "http://"+off+"/", fetch.Page)
	}
	_, err := get(t, named, "http://"+off+"/", fetch.Page)
	wantUpstream(t, err, "is being fetched too often")
	if got := requests.Load(); got != 2 {
		t.Errorf("got %d requests, want 2", got)
	}

	for _, free := range []*fetch.Client{
		client(t, fetch.Config{Limits: slow}, addr),
		client(t, fetch.Config{AllowHosts: []string{addr}, Limits: slow}), // named, and on this machine
	} {
		for range 10 {
			mustGet(t, free, "http://"+addr+"/rest", fetch.Page)
		}
	}

	named = client(t, fetch.Config{AllowHosts: []string{off}, Resolver: names})
	mustGet(t, named, "http://"+off+"/rest", fetch.Page)
	before := requests.Load()
	_, err = get(t, named, "http://"+off+"/", fetch.Page)
	wantUpstream(t, err, "asks for a pause. Try again in ")
	var e *apperr.Error
	if errors.As(err, &e); e.RetryAfter < 10*time.Second || e.RetryAfter > 20*time.Second || requests.Load() != before {
		t.Errorf("got %v to wait and %d requests, want the 20 s it asked for and none", e.RetryAfter, requests.Load()-before)
	}
}
