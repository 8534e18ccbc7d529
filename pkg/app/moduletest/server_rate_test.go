package moduletest_test

import (
	"fmt"
	"net/http"
	"strconv"
	"testing"
	"time"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

// specified sets the specified rate limits.
func specified(c *app.Config) {
	c.Billing.FreeRPM, c.Billing.PlusRPM, c.Billing.ProRPM = 0, 0, 0
	c.Server.PreviewRPM, c.Server.BreakerRPM, c.Server.BreakerMisses = 0, 0, 0
	c.Server.TrustedProxies = []string{"127.0.0.1"}
}

// from has a request come from an address.
func from(address string) apptest.RequestOption { return apptest.Header("X-Forwarded-For", address) }

func agent(name string) apptest.RequestOption { return apptest.Header("User-Agent", name) }

const facebook = "facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)"

// wantRate compares the headers of a rate window.
func wantRate(t *testing.T, r *apptest.Response, limit, remaining int) {
	t.Helper()
	got := []string{r.Header.Get("X-RateLimit-Limit"), r.Header.Get("X-RateLimit-Remaining")}
	if want := []string{strconv.Itoa(limit), strconv.Itoa(remaining)}; got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got limit and remaining %v, want %v", got, want)
	}
	reset, err := strconv.ParseInt(r.Header.Get("X-RateLimit-Reset"), 10, 64)
	if until := time.Until(time.Unix(reset, 0)); err != nil || until > time.Minute+time.Second || until < -time.Minute {
		t.Errorf("got X-RateLimit-Reset %q, want Unix seconds within a minute", r.Header.Get("X-RateLimit-Reset"))
	}
}

// wantRefused compares the answer to one request too many.
func wantRefused(t *testing.T, r *apptest.Response, limit int) {
	t.Helper()
	r.WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	wantRate(t, r, limit, 0)
	seconds, err := strconv.Atoi(r.Header.Get("Retry-After"))
	reset, _ := strconv.ParseInt(r.Header.Get("X-RateLimit-Reset"), 10, 64)
	if until := int(reset - time.Now().Unix()); err != nil || seconds < 1 || seconds > 60 || seconds < until-1 {
		t.Errorf("got Retry-After %q with %d s until the window resets", r.Header.Get("Retry-After"), until)
	}
}

// Free has 20 requests per minute. Every rate-limited response has the headers; over the limit, it is 429 with
// Retry-After, in seconds until the window resets.
func TestRate_21stRequestInAMinuteOnFreeIs429(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, specified)
	user := apptest.Bearer(h.Register().Access)
	for i := range 20 {
		r := h.Get("/users/me", user).Want(http.StatusOK)
		wantRate(t, r, 20, 19-i)
	}
	wantRefused(t, h.Get("/users/me", user), 20)
	// Whatever the operation and its spelling; what is wrong with the request is not even looked at.
	wantRefused(t, h.Get("/api/projects", user), 20)
	wantRefused(t, h.Post("/projects", "{", user), 20)
	// Another account is not concerned, from the same address.
	wantRate(t, h.Get("/users/me", apptest.Bearer(h.Register().Access)).Want(http.StatusOK), 20, 19)
}

// Requests that are not valid count, and say how the window stands.
func TestRate_errorsCountAndCarryTheHeaders(t *testing.T) {
	t.Parallel()
	h := apptest.Start(t, specified)
	user := apptest.Bearer(h.Register().Access)
	wantRate(t, h.Get("/projects/1", user).Want(http.StatusBadRequest), 20, 19)
	wantRate(t, h.Get("/projects/"+apptest.Nobody, user).Want(http.StatusNotFound), 20, 18)
	wantRate(t, h.Post("/projects", "{", user).Want(http.StatusBadRequest), 20, 17)
	asText := apptest.Header("Content-Type", "text/plain")
	wantRate(t, h.Post("/projects", "{}", user, asText).Want(http.StatusUnsupportedMediaType), 20, 16)
	// Nobody knows whose request this is; what is told is how many more of them the address has.
	wantRate(t, h.Get("/projects").Want(http.StatusUnauthorized), 600, 599)
}

// Keys and sessions of one owner share a limit, wherever they are used.
func TestRate_keysAndSessionsOfOneOwnerShareTheWindow(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified) // two requests of the session: a project and a key
	other := h.NewKey(h.Session, "")         // and another
	wantRate(t, h.Get("/images", apptest.Bearer(h.Key), from("192.0.2.1")).Want(http.StatusOK), 20, 16)
	wantRate(t, h.Get("/images", apptest.Bearer(other), from("192.0.2.2")).Want(http.StatusOK), 20, 15)
	for i := range 15 {
		h.Get("/images", apptest.Bearer([]string{h.Key, other}[i%2])).Want(http.StatusOK)
	}
	wantRefused(t, h.Get("/images", apptest.Bearer(h.Key), from("192.0.2.3")), 20)
	wantRefused(t, h.Get("/images", apptest.Bearer(other), from("192.0.2.4")), 20)
	wantRefused(t, h.Get("/images", apptest.Bearer(h.Session.Access), from("192.0.2.5")), 20)
}

// For requests with an API key the plan is that of the key's owner, for public ones that of the project's owner.
func TestRate_planIsThatOfTheOwner(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified)
	image := h.Generate("/page/plan", nil).Want(http.StatusOK)
	picture := image.Path("publicUrl")
	wantRate(t, h.Get(picture, from("192.0.2.1")).Want(http.StatusOK), 20, 19)
	me := h.Get("/users/me", apptest.Bearer(h.Session.Access)).Text("id")
	for plan, limit := range map[string]int{"plus": 100, "pro": 500, "free": 20} {
		if _, err := h.App.Users.SetPlan(t.Context(), me, plan); err != nil {
			t.Fatal(err)
		}
		for what, r := range map[string]*apptest.Response{
			"key":     h.Get("/images", apptest.Bearer(h.Key)),
			"session": h.Get("/images", apptest.Bearer(h.Session.Access)),
			"public":  h.Get(picture, from("192.0.2.1")),
		} {
			if got := r.Header.Get("X-RateLimit-Limit"); got != strconv.Itoa(limit) {
				t.Errorf("%s on %s: got a limit of %s, want %d", what, plan, got, limit)
			}
		}
	}
}

// The limit is that of the owner's plan per client address and project; a stranger doesn't use up anyone else's window.
func TestRate_publicPictureIsCountedByAddressAndProject(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified)
	picture := h.Generate("/page/public", nil).Want(http.StatusOK).Path("publicUrl")
	for i := range 20 {
		wantRate(t, h.Get(picture, from("192.0.2.1")).Want(http.StatusOK), 20, 19-i)
	}
	wantRefused(t, h.Get(picture, from("192.0.2.1")), 20)
	h.Send(http.MethodHead, "/api"+picture, nil, from("192.0.2.1")).Want(http.StatusTooManyRequests)
	wantRate(t, h.Get(picture, from("192.0.2.2")).Want(http.StatusOK), 20, 19)
	// The owner's own window is another: three requests made the picture.
	wantRate(t, h.Get("/images", apptest.Bearer(h.Key)).Want(http.StatusOK), 20, 16)
	// Where there is nothing, the address has a window of the least plan.
	wantRate(t, h.Get("/og/abcdefghijklmnopqrstuv", from("192.0.2.1")).Want(http.StatusNotFound), 20, 19)
	wantRate(t, h.Get("/og/nothing", from("192.0.2.1")).Want(http.StatusNotFound), 20, 18)
}

// Crawlers skip the limit on GET /og/:publicId; they are matched by substring.
func TestRate_crawlerPassesOnOGAndNowhereElse(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified)
	picture := h.Generate("/page/crawled", nil).Want(http.StatusOK).Path("publicUrl")
	for range 20 {
		h.Get(picture, from("192.0.2.1")).Want(http.StatusOK)
	}
	wantRefused(t, h.Get(picture, from("192.0.2.1")), 20)
	for i, name := range []string{
		facebook, "Twitterbot/1.0", "LinkedInBot/1.0 (compatible; Mozilla/5.0)", "Slackbot-LinkExpanding 1.0",
		"Mozilla/5.0 (compatible; Discordbot/2.0; +https://discordapp.com)", "FacebookBot", "WhatsApp/2.19.81 A",
		"TelegramBot (like TwitterBot)", "mozilla tWiTtErBoT",
	} {
		r := h.Get(picture, from("192.0.2.1"), agent(name)).Want(http.StatusOK)
		wantRate(t, r, 600, 600-21-1-2*i) // the breaker's, which counts everybody
		h.Send(http.MethodHead, picture, nil, from("192.0.2.1"), agent(name)).Want(http.StatusOK)
	}
	for _, name := range []string{"", "Mozilla/5.0", "Twitter bot", "Slack"} {
		wantRefused(t, h.Get(picture, from("192.0.2.1"), agent(name)), 20)
	}
	key := apptest.Bearer(h.Key)
	for range 17 {
		h.Get("/images", key, agent(facebook)).Want(http.StatusOK)
	}
	wantRefused(t, h.Get("/images", key, agent(facebook)), 20)
	wantRefused(t, h.Post("/images/generate", "{}", key, agent(facebook)), 20)
}

func TestRate_crawlersAreASetting(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified, func(c *app.Config) {
		c.Billing.FreeRPM, c.Server.Crawlers = 5, []string{"OurBot"}
	})
	picture := h.Generate("/page/bots", nil).Want(http.StatusOK).Path("publicUrl")
	for range 5 {
		h.Get(picture).Want(http.StatusOK)
	}
	wantRefused(t, h.Get(picture, agent(facebook)), 5)
	h.Get(picture, agent("ourbot/1")).Want(http.StatusOK)
}

// Crawlers remain subject to the circuit breaker per address.
func TestBreaker_stopsAFakeCrawler(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified)
	image := h.Generate("/page/abused", nil).Want(http.StatusOK)
	picture, file := image.Path("publicUrl"), image.Path("imageUrl")
	for range 600 {
		h.Get(picture, from("192.0.2.1"), agent(facebook)).Want(http.StatusOK)
	}
	refused := h.Get(picture, from("192.0.2.1"), agent(facebook))
	wantRefused(t, refused, 600)
	if got := refused.Header.Get("Cache-Control"); got != "no-store" {
		t.Errorf("a refusal: got Cache-Control %q, want no-store", got)
	}
	if seconds, _ := strconv.Atoi(refused.Header.Get("Retry-After")); seconds < 50 {
		t.Errorf("it opened for %d s, want 60", seconds)
	}
	// Whatever it says that it is, and whatever it asks for.
	wantRefused(t, h.Get(picture, from("192.0.2.1")), 600)
	wantRefused(t, h.Get(file, from("192.0.2.1")), 600)
	wantRefused(t, h.Get("/templates", from("192.0.2.1")), 600)
	h.Get("/swagger", from("192.0.2.1")).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	h.Get("/nowhere", from("192.0.2.1")).WantProblem(http.StatusTooManyRequests, "RATE_LIMITED")
	// Others go on, supervisors too, and so do accounts from the same address: their plan is their limit.
	h.Get(picture, from("192.0.2.2"), agent(facebook)).Want(http.StatusOK)
	h.Get("/healthz", from("192.0.2.1")).Want(http.StatusOK)
	h.Get("/images", from("192.0.2.1"), apptest.Bearer(h.Key)).Want(http.StatusOK)
}

// Decisions.md 6: an address is an IPv4 address or an IPv6 /64, everywhere.
func TestRate_clientThatRotatesThroughA64IsOne(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified, func(c *app.Config) { c.Server.BreakerRPM = 30 })
	picture := h.Generate("/page/rotating", nil).Want(http.StatusOK).Path("publicUrl")
	address := func(i int) apptest.RequestOption { return from(fmt.Sprintf("2001:db8:1:2:%x::%x", i+1, i)) }
	for i := range 20 {
		wantRate(t, h.Get(picture, address(i)).Want(http.StatusOK), 20, 19-i)
	}
	wantRefused(t, h.Get(picture, address(20)), 20)
	for i := range 9 {
		h.Get(picture, address(i), agent(facebook)).Want(http.StatusOK)
	}
	wantRefused(t, h.Get(picture, address(99), agent(facebook)), 30)
	h.Get(picture, from("2001:db8:1:3::1")).Want(http.StatusOK)
}

// No limit per address may be below a plan on authenticated operations; /cdn, templates and web pages only count on the
// breaker.
func TestRate_addressesDoNotLimitAccounts(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified, func(c *app.Config) { c.Server.BreakerRPM, c.Billing.FreeRPM = 10, 60 })
	image := h.Generate("/page/office", nil).Want(http.StatusOK)
	for i := range 10 {
		wantRate(t, h.Get(image.Path("imageUrl"), from("192.0.2.1")).Want(http.StatusOK), 10, 9-i)
	}
	wantRefused(t, h.Get(image.Path("imageUrl"), from("192.0.2.1")), 10)
	for range 50 {
		h.Get("/images", from("192.0.2.1"), apptest.Bearer(h.Key)).Want(http.StatusOK)
	}
	wantRate(t, h.Get("/swagger", from("192.0.2.9")).Want(http.StatusOK), 10, 9)
	wantRate(t, h.Get("/templates", from("192.0.2.9")).Want(http.StatusOK), 10, 8)
}

// The breaker comes before authentication.
func TestBreaker_stopsWhoGuessesCredentials(t *testing.T) {
	t.Parallel()
	h := apptest.StartSignedIn(t, specified, func(c *app.Config) { c.Server.BreakerRPM = 10 })
	for i := range 10 {
		wantRate(t, h.Get("/images", from("192.0.2.1"), apptest.Bearer("bad")).Want(http.StatusUnauthorized), 10, 9-i)
	}
	h.Get("/images", from("192.0.2.1"), apptest.Bearer("bad")).Want(http.StatusUnauthorized) // this one opens it
	wantRefused(t, h.Get("/images", from("192.0.2.1"), apptest.Bearer("bad")), 10)
	wantRefused(t, h.Get("/users/me", from("192.0.2.1")), 10)
	h.Get("/images", from("192.0.2.2"), apptest.Bearer(h.Key)).Want(http.StatusOK)
	h.Get("/swagger", from("192.0.2.1")).Want(http.StatusOK)
}
