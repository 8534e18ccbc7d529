package fetch_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"masthead/pkg/fetch"
)

func TestGet_origin_isReadUnderTheAddressesOfTheSite(t *testing.T) {
	var self string
	addr := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch r.URL.Path {
		case "/relative":
			http.Redirect(w, r, "/page?q=1", http.StatusFound)
		case "/own":
			http.Redirect(w, r, "http://"+self+"/page", http.StatusMovedPermanently)
		case "/site":
			http.Redirect(w, r, "http://site.example/page", http.StatusMovedPermanently)
		case "/elsewhere":
			http.Redirect(w, r, "http://www.site.example/page", http.StatusMovedPermanently)
		default:
			fmt.Fprintf(w, "%s of %s", r.URL.RequestURI(), r.Host)
		}
	})
	self = addr
	resolve := resolver("www.site.example", "127.0.0.1") // and site.example is not to be looked up
	c, err := fetch.New(fetch.Config{
		Resolver: resolve, AllowHosts: []string{addr}, Origin: fetch.Origin{
			Site: mustURL(t, "https://site.example/any"), From: mustURL(t, "http://"+addr),
		},
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	for ask, want := range map[string]struct{ url, body string }{
		"https://site.example/page?x=%7C": {"https://site.example/page?x=%7C", "/page?x=%7C of " + addr},
		"http://site.example/page":        {"http://site.example/page", "/page of " + addr},
		"https://site.example/relative":   {"https://site.example/page?q=1", "/page?q=1 of " + addr},
		"https://site.example/own":        {"https://site.example/page", "/page of " + addr},
		"https://site.example/site":       {"http://site.example/page", "/page of " + addr},
	} {
		resp := mustGet(t, c, ask, fetch.Page)
		if resp.URL.String() != want.url || string(resp.Body) != want.body {
			t.Errorf("%s: got %q from %s, want %q from %s", ask, resp.Body, resp.URL, want.body, want.url)
		}
	}
	_, err = get(t, c, "https://site.example/elsewhere", fetch.Page)
	wantRefused(t, "a redirect to another private host", err)
	_, err = get(t, c, "https://site.example:8443/page", fetch.Page)
	wantRefused(t, "another port of the site", err)
}

func TestGet_origin_silentServer_isNamed(t *testing.T) {
	c, err := fetch.New(fetch.Config{AllowHosts: []string{"127.0.0.1:1"}, Origin: fetch.Origin{
		Site: mustURL(t, "https://site.example/"), From: mustURL(t, "http://127.0.0.1:1"),
	}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, err = get(t, c, "https://site.example/page", fetch.Page)
	wantUpstream(t, err, "127.0.0.1")
}

func TestConfig_origin_hasTwoAddresses(t *testing.T) {
	site, from := mustURL(t, "https://site.example/"), mustURL(t, "http://localhost:3000/")
	for want, origin := range map[string]fetch.Origin{
		"":                              {Site: site, From: from},
		"an origin needs two":           {Site: site},
		"an origin needs two addresses": {From: from},
		"is both the site and the serv": {Site: site, From: mustURL(t, "http://site.example/x")},
	} {
		err := fetch.Config{Origin: origin}.Validate()
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), strings.TrimSuffix(want, " of")) {
			t.Errorf("%+v: got %v, want %q", origin, err, want)
		}
	}
}
