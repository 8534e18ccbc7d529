package audit_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/audit"
	"masthead/pkg/fetch"
	"masthead/pkg/picture"
	"masthead/pkg/platform"
	"masthead/pkg/scrape"
	"masthead/pkg/weburl"
)

const lensPage = `<!DOCTYPE html><html lang=en><head><title>A page</title><meta name=description content="What it says.">
<meta property=og:title content="A page"><meta property=og:image content="https://www.example.com/a.png"></head>
<body><h1>A page</h1><p>Words that are there without any script, enough of them to be read.</p></body></html>`

// answer answers with a status, headers in pairs, and a body.
func answer(w http.ResponseWriter, status int, body string, headers ...string) {
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	for i := 0; i+1 < len(headers); i += 2 {
		w.Header().Set(headers[i], headers[i+1])
	}
	w.WriteHeader(status)
	_, _ = fmt.Fprint(w, body)
}

// TestLook_blockingSetups puts the ways in which sites keep crawlers out before a page, each for Twitterbot alone, and
// for ClaudeBot where nothing else is said.
func TestLook_blockingSetups(t *testing.T) {
	for _, c := range []struct {
		name   string
		robots string
		block  func(w http.ResponseWriter, r *http.Request)
		access audit.Access
		// says and advises are parts of the reasons and the fix.
		says, advises string
	}{
		{"nothing", "", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, lensPage) }, audit.Received, "", ""},
		{"robots.txt", "User-agent: Twitterbot\nUser-agent: ClaudeBot\nDisallow: /", nil, audit.Refused,
			"robots.txt blocks Twitterbot by line 3", "User-agent: Twitterbot"},
		{"nginx, 403 by name", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "<h1>403 Forbidden</h1>", "Server", "nginx")
		}, audit.Refused, "answers Twitterbot with status 403, us with 200", "$http_user_agent"},
		{"closed connection", "", func(w http.ResponseWriter, _ *http.Request) {
			conn, _, err := w.(http.Hijacker).Hijack()
			if err == nil {
				_ = conn.Close()
			}
		}, audit.Refused, "gets no response", "nginx"},
		{"418", "", func(w http.ResponseWriter, _ *http.Request) { answer(w, 418, "no") }, audit.Refused, "status 418", "Vercel"},
		{"Cloudflare, challenge", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "<title>Just a moment...</title>", "Cf-Mitigated", "challenge", "Server", "cloudflare")
		}, audit.MayDiffer, "Cloudflare answers with a challenge (status 403)", "User Agent contains Twitterbot"},
		{"Cloudflare, blocked", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "<title>Attention Required!</title>", "Server", "cloudflare")
		}, audit.MayDiffer, "a refusal", "action Skip"},
		{"Vercel, challenge", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 429, "<title>Vercel Security Checkpoint</title>", "X-Vercel-Mitigated", "challenge")
		}, audit.MayDiffer, "Vercel answers with a challenge (status 429)", "action Bypass"},
		{"Vercel, denied", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "Forbidden", "X-Vercel-Mitigated", "deny")
		}, audit.MayDiffer, "Vercel answers with a refusal", "Bot Protection"},
		{"Anubis", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, `<title>Making sure you're not a bot!</title><script src="/.within.website/x/cmd/anubis/static/js/main.mjs">`)
		}, audit.Refused, "Anubis answers with proof of work", "bot policies"},
		{"AWS WAF", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 202, "", "X-Amzn-Waf-Action", "challenge")
		}, audit.MayDiffer, "AWS WAF", "bot:verified"},
		{"DataDome", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "captcha", "X-Datadome", "protected")
		}, audit.MayDiffer, "DataDome", "verified bots"},
		{"Imperva", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "<iframe>Request unsuccessful. Incapsula incident ID: 1-2</iframe>")
		}, audit.MayDiffer, "Imperva", "bot access control"},
		{"Akamai", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 403, "<h1>Access Denied</h1>", "Server", "AkamaiGHost")
		}, audit.MayDiffer, "Akamai", "Bot Manager"},
		{"login", "", func(w http.ResponseWriter, r *http.Request) {
			if r.URL.Path == "/login" {
				answer(w, 200, "<title>Sign in</title><p>Please sign in to read this page, it is only for members.</p>")
				return
			}
			http.Redirect(w, r, "/login", http.StatusFound)
		}, audit.Differs, "is sent to", "not to a login"},
		{"another page", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, strings.ReplaceAll(lensPage, "A page", "For robots"))
		}, audit.Differs, "Its title is “For robots”; ours is “A page”", "same page as readers"},
		{"script only", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, `<!DOCTYPE html><title>A page</title><div id=root></div><script src=/app.js></script>`)
		}, audit.Differs, "a script adds them", "on the server"},
		{"no HTML", "", func(w http.ResponseWriter, _ *http.Request) {
			answer(w, 200, "{}", "Content-Type", "application/json")
		}, audit.Refused, "no HTML: application/json", "text/html"},
	} {
		t.Run(c.name, func(t *testing.T) {
			l, agents := look(t, c.robots, c.block, "Twitterbot", "ClaudeBot")
			views := map[string]audit.LensView{}
			for _, v := range l.Views {
				views[v.ID] = v
			}
			for _, id := range []string{"x", "claudebot"} {
				v := views[id]
				why := strings.Join(v.Why, " ")
				if id == "x" && (!strings.Contains(why, c.says) || !strings.Contains(v.Fix, c.advises)) {
					t.Errorf("got %q, fix %q, want %q, %q", why, v.Fix, c.says, c.advises)
				}
				if v.Access != c.access || (v.Fix == "") != (c.access == audit.Received) {
					t.Errorf("%s: got %+v, want %s", id, v, c.access)
				}
			}
			for _, v := range l.Views {
				if v.ID != "x" && v.ID != "claudebot" && v.Access != audit.Received {
					t.Errorf("%s is affected: %+v", v.Name, v)
				}
			}
			const signed = " masthead-lens (+https://example.com/about)"
			for _, agent := range agents {
				if strings.Contains(agent, "Twitterbot") && !strings.Contains(agent, signed) {
					t.Errorf("got the User-Agent %q, want one that says who we are", agent)
				}
			}
		})
	}
}

// look reads a page by the names of all crawlers; block answers those whose names contain one of names.
func look(
	t *testing.T, robots string, block http.HandlerFunc, names ...string,
) (found *audit.Lens, agents []string) {
	t.Helper()
	var mu sync.Mutex
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		agent := r.UserAgent()
		mu.Lock()
		agents = append(agents, agent)
		mu.Unlock()
		switch {
		case r.URL.Path == "/robots.txt":
			answer(w, 200, robots, "Content-Type", "text/plain")
			return
		case block != nil:
			for _, name := range names {
				if strings.HasPrefix(agent, name+" ") {
					block(w, r)
					return
				}
			}
		}
		answer(w, 200, lensPage)
	}))
	t.Cleanup(server.Close)
	u, err := weburl.Parse(server.URL + "/page")
	if err != nil {
		t.Fatal(err)
	}
	client, err := fetch.New(fetch.Config{AllowHosts: []string{u.URL().Host}, Operator: true}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.Close)
	found, err = audit.Look(t.Context(), client, u, audit.LookOptions{Contact: "https://example.com/about"})
	if err != nil {
		t.Fatal(err)
	}
	if len(found.Views) != len(platform.Visitors()) || len(found.Views) != 17 {
		t.Fatalf("got %d views, want those of 17 crawlers", len(found.Views))
	}
	return found, agents
}

// TestLook_robotsThatMayBeIgnored excludes two agents, of which one doesn't promise to obey.
func TestLook_robotsThatMayBeIgnored(t *testing.T) {
	l, _ := look(t, "User-agent: ChatGPT-User\nUser-agent: GPTBot\nDisallow: /", nil)
	want := map[string]audit.Access{"chatgpt-user": audit.MayDiffer, "gptbot": audit.Refused}
	for _, v := range l.Views {
		if access, ok := want[v.ID]; ok && (v.Access != access || v.Fix == "") {
			t.Errorf("%s: got %+v, want %s", v.Name, v, access)
		}
		if v.ID == "chatgpt-user" && !strings.Contains(strings.Join(v.Why, " "), "robots.txt may not apply") {
			t.Errorf("got %q", v.Why)
		}
	}
}

// TestLook_lateHead has the tags behind more bytes than WhatsApp reads.
func TestLook_lateHead(t *testing.T) {
	late := strings.Replace(lensPage, "<meta property=og:image", "<style>"+strings.Repeat("a{}", 110_000)+"</style><meta property=og:image", 1)
	l, _ := look(t, "", func(w http.ResponseWriter, _ *http.Request) { answer(w, 200, late) }, "WhatsApp")
	for _, v := range l.Views {
		if want := v.ID == "whatsapp"; (v.Access == audit.Differs) != want {
			t.Errorf("%s: got %+v", v.Name, v)
		}
		if v.ID == "whatsapp" && !strings.Contains(strings.Join(v.Why, " "), "first 300 KB") {
			t.Errorf("got %q", v.Why)
		}
	}
}

// TestLook_siteThatRefusesUs still says which crawlers are let in.
func TestLook_siteThatRefusesUs(t *testing.T) {
	l, _ := look(t, "", func(w http.ResponseWriter, _ *http.Request) { answer(w, 403, "no") }, "Mozilla/5.0", "GPTBot")
	for _, v := range l.Views {
		want := audit.Received
		if v.ID == "gptbot" {
			want = audit.Refused
		}
		if v.Access != want {
			t.Errorf("%s: got %+v, want %s", v.Name, v, want)
		}
	}
}

// TestExamine_derivesWhatCrawlersReceive says what follows from robots.txt and one request for each crawler.
func TestExamine_derivesWhatCrawlersReceive(t *testing.T) {
	late := strings.Replace(lensPage, "<meta property=og:image", "<style>"+strings.Repeat("a{}", 110_000)+
		"</style><meta property=og:image", 1)
	for _, c := range []struct {
		name, robots string
		page         func(w http.ResponseWriter)
		// access is that of x, whatsapp, gptbot and chatgpt-user; says and advises are of the last that isn't received.
		access        [4]audit.Access
		says, advises string
	}{
		{"all", "", func(w http.ResponseWriter) { answer(w, 200, lensPage) },
			[4]audit.Access{audit.Received, audit.Received, audit.Received, audit.Received}, "", ""},
		{"robots.txt", "User-agent: GPTBot\nUser-agent: ChatGPT-User\nDisallow: /p",
			func(w http.ResponseWriter) { answer(w, 200, lensPage) },
			[4]audit.Access{audit.Received, audit.Received, audit.Refused, audit.MayDiffer},
			"robots.txt may not apply", "Allow: /page"},
		{"bytes", "", func(w http.ResponseWriter) { answer(w, 200, late) },
			[4]audit.Access{audit.Received, audit.Differs, audit.Received, audit.Received},
			"first 300 KB", "beginning of the head"},
		{"script", "", func(w http.ResponseWriter) {
			answer(w, 200, `<!DOCTYPE html><title>A page</title><div id=root></div><script src=/app.js></script>`)
		}, [4]audit.Access{audit.Differs, audit.Differs, audit.Differs, audit.Differs}, "a script adds them", "on the server"},
		{"challenge", "", func(w http.ResponseWriter) {
			answer(w, 403, "<title>Just a moment...</title>", "Cf-Mitigated", "challenge")
		}, [4]audit.Access{audit.MayDiffer, audit.MayDiffer, audit.MayDiffer, audit.MayDiffer}, "Cloudflare", "ChatGPT-User"},
		{"404", "", func(w http.ResponseWriter) { answer(w, 404, lensPage) },
			[4]audit.Access{audit.MayDiffer, audit.MayDiffer, audit.MayDiffer, audit.MayDiffer}, "status 404", "status 200"},
	} {
		t.Run(c.name, func(t *testing.T) {
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				switch r.URL.Path {
				case "/robots.txt":
					answer(w, 200, c.robots, "Content-Type", "text/plain")
				case "/page":
					c.page(w)
				default:
					http.NotFound(w, r)
				}
			}))
			defer server.Close()
			u, err := weburl.Parse(server.URL + "/page")
			if err != nil {
				t.Fatal(err)
			}
			client, err := fetch.New(fetch.Config{AllowHosts: []string{u.URL().Host}, Operator: true}, nil)
			if err != nil {
				t.Fatal(err)
			}
			defer client.Close()
			scraper := scrape.New(client, picture.NewDecoder(picture.Config{}), nil)
			r, err := audit.Examine(t.Context(), scraper, u, audit.Options{})
			if err != nil {
				t.Fatal(err)
			}
			if !r.Lens.Derived || len(r.Lens.Views) != 17 {
				t.Fatalf("got %+v, want 17 derived views", r.Lens)
			}
			var got [4]audit.Access
			said, fix := "", ""
			for _, v := range r.Lens.Views {
				for i, id := range [...]string{"x", "whatsapp", "gptbot", "chatgpt-user"} {
					if v.ID == id {
						got[i] = v.Access
						if v.Access != audit.Received {
							said, fix = strings.Join(v.Why, " "), v.Fix
						}
					}
				}
			}
			if got != c.access || !strings.Contains(said, c.says) || !strings.Contains(fix, c.advises) {
				t.Errorf("got %v, %q, fix %q; want %v, %q, %q", got, said, fix, c.access, c.says, c.advises)
			}
		})
	}
}
