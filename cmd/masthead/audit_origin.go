package main

import (
	"context"
	"net/netip"
	"strings"

	"masthead/pkg/fetch"
	"masthead/pkg/scrape"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

// This file owns --origin and --allow.

// parseOrigin reads --origin; the zero address for "".
func parseOrigin(text string) (weburl.URL, error) {
	if text == "" {
		return weburl.URL{}, nil
	}
	u, err := parsePage(text)
	if err != nil {
		return u, wrongUsage("--origin: %w", err)
	}
	if at := u.URL(); at.Path != "/" || at.RawQuery != "" {
		return u, wrongUsage("--origin is a server, such as http://localhost:8802, without a path; it is %s", text)
	}
	return u, nil
}

// setOrigin has the site of the pages and the sitemap read from the server at from, and returns them as the site names
// them. The site is the one host that they name besides the server itself. Where they name the server alone, it is what
// the first page names as canonical, or the sitemap lists.
func (a *auditor) setOrigin(
	ctx context.Context, from weburl.URL, pages []weburl.URL, list weburl.URL,
) ([]weburl.URL, weburl.URL, error) {
	if from.IsZero() {
		return pages, list, nil
	}
	all := append([]weburl.URL{}, pages...)
	if !list.IsZero() {
		all = append(all, list)
	}
	var site weburl.URL
	for _, u := range all {
		switch {
		case hostKey(u) == hostKey(from):
		case site.IsZero():
			site = u
		case hostKey(site) != hostKey(u):
			return nil, list, wrongUsage("--origin serves one site, but the pages named are of %s and %s",
				hostKey(site), hostKey(u))
		}
	}
	if site.IsZero() {
		var err error
		if site, err = a.publicSite(ctx, pages, list); err != nil {
			return nil, list, err
		}
	}
	if site.IsZero() || hostKey(site) == hostKey(from) {
		a.tell("%s names no public address of its own, so it is audited as it is", hostKey(from))
		return pages, list, nil
	}
	a.clients.origin = fetch.Origin{Site: site, From: from}
	for i, u := range all {
		if hostKey(u) != hostKey(from) {
			continue
		}
		public, err := u.On(site)
		if err != nil {
			return nil, list, err
		}
		all[i] = public
	}
	if !list.IsZero() {
		list, all = all[len(all)-1], all[:len(all)-1]
	}
	return all, list, nil
}

// publicSite asks the server what its site is called; the zero address when it does not say.
func (a *auditor) publicSite(ctx context.Context, pages []weburl.URL, list weburl.URL) (site weburl.URL, err error) {
	if len(pages) == 0 && list.IsZero() {
		return site, nil
	}
	if !list.IsZero() {
		return a.listedSite(ctx, list)
	}
	client, err := a.clients.of(pages[0])
	if err != nil {
		return site, err
	}
	found := scrape.New(client, a.decoder, nil).Scrape(ctx, pages[0], scrape.Need{PageEssential: true, AnyStatus: true})
	if found.Page.Err != nil {
		return site, nil //nolint:nilerr // the audit says why
	}
	for _, c := range found.Page.Value.Canonicals() {
		if u, err := weburl.Parse(c.URL); err == nil {
			return u, nil
		}
	}
	return site, nil
}

// listedSite returns the first address that a sitemap lists.
func (a *auditor) listedSite(ctx context.Context, list weburl.URL) (site weburl.URL, err error) {
	client, err := a.clients.of(list)
	if err != nil {
		return site, err
	}
	job, done := client.NewJob(ctx)
	defer done()
	response, err := job.Get(ctx, list, fetch.Sitemap)
	if err != nil {
		return site, nil // reading the sitemap itself says why
	}
	entries, _ := sitemap.Parse(response.Body) // as above
	for _, e := range entries {
		if u, err := response.URL.Resolve(e.URL); err == nil {
			return u, nil
		}
	}
	return site, nil
}

// checkAllowed looks at what --allow opens.
func checkAllowed(allow []string) error {
	prefixes, hosts := splitAllowed(allow)
	if err := (fetch.Config{Allow: prefixes, AllowHosts: hosts}).Validate(); err != nil {
		return wrongUsage("--allow: %s", strings.TrimPrefix(err.Error(), "MASTHEAD_FETCH_ALLOW: "))
	}
	return nil
}

// splitAllowed parts what --allow opens into prefixes of addresses and names of hosts.
func splitAllowed(allow []string) (prefixes, hosts []string) {
	for _, text := range allow {
		host := text
		if i := strings.LastIndexByte(text, ':'); i > strings.LastIndexByte(text, ']') && strings.Count(text, ":") == 1 {
			host = text[:i]
		}
		_, err := netip.ParseAddr(strings.Trim(host, "[]"))
		if err == nil || strings.ContainsAny(text, "/[") || strings.Count(text, ":") > 1 {
			prefixes = append(prefixes, text)
		} else {
			hosts = append(hosts, text)
		}
	}
	return prefixes, hosts
}
