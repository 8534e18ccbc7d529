package audit

import (
	"context"
	"strings"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/fetch"
	"masthead/pkg/scrape"
	"masthead/pkg/sitemap"
	"masthead/pkg/weburl"
)

// This file implements --origin and --allow.

// parseOrigin parses --origin; "" gives the zero address.
func parseOrigin(text string) (weburl.URL, error) {
	if text == "" {
		return weburl.URL{}, nil
	}
	u, err := targets.Parse(text)
	if err != nil {
		return u, usage.Errorf("--origin: %w", err)
	}
	if at := u.URL(); at.Path != "/" || at.RawQuery != "" {
		return u, usage.Errorf("--origin is a server, such as http://localhost:8802, without a path; it is %s", text)
	}
	return u, nil
}

// setOrigin reads the site of the pages and the sitemap from the server at from, and returns their public addresses.
// The site is the one host that they name besides the server itself. If they name only the server, it is the first
// page's canonical address, or that of the sitemap's entries.
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
		case targets.HostKey(u) == targets.HostKey(from):
		case site.IsZero():
			site = u
		case targets.HostKey(site) != targets.HostKey(u):
			return nil, list, usage.Errorf("--origin serves one site, but the pages named are of %s and %s",
				targets.HostKey(site), targets.HostKey(u))
		}
	}
	if site.IsZero() {
		var err error
		if site, err = a.publicSite(ctx, pages, list); err != nil {
			return nil, list, err
		}
	}
	if site.IsZero() || targets.HostKey(site) == targets.HostKey(from) {
		a.Tell("%s names no public address of its own, so it is audited as it is", targets.HostKey(from))
		return pages, list, nil
	}
	a.clients.Origin = fetch.Origin{Site: site, From: from}
	for i, u := range all {
		if targets.HostKey(u) != targets.HostKey(from) {
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

// publicSite asks the server for its site's public address; it returns the zero address if it doesn't say.
func (a *auditor) publicSite(ctx context.Context, pages []weburl.URL, list weburl.URL) (site weburl.URL, err error) {
	if len(pages) == 0 && list.IsZero() {
		return site, nil
	}
	if !list.IsZero() {
		return a.listedSite(ctx, list)
	}
	client, err := a.clients.Of(pages[0])
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

// listedSite returns the first address in a sitemap.
func (a *auditor) listedSite(ctx context.Context, list weburl.URL) (site weburl.URL, err error) {
	client, err := a.clients.Of(list)
	if err != nil {
		return site, err
	}
	job, done := client.NewJob(ctx)
	defer done()
	response, err := job.Get(ctx, list, fetch.Sitemap)
	if err != nil {
		return site, nil // reading the sitemap itself reports the reason
	}
	entries, _ := sitemap.Parse(response.Body) // as above
	for _, e := range entries {
		if u, err := response.URL.Resolve(e.URL); err == nil {
			return u, nil
		}
	}
	return site, nil
}

// checkAllowed validates --allow.
func checkAllowed(allow []string) error {
	prefixes, hosts := targets.SplitAllowed(allow)
	if err := (fetch.Config{Allow: prefixes, AllowHosts: hosts}).Validate(); err != nil {
		return usage.Errorf("--allow: %s", strings.TrimPrefix(err.Error(), "MASTHEAD_FETCH_ALLOW: "))
	}
	return nil
}
