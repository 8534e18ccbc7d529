package app_test

import (
	"bytes"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/usage"
)

// The sentences of the specification about AI pictures and what the plans have of them.

// withAI runs a test on both databases, on a service that asks a fake provider.
func withAI(t *testing.T, test func(t *testing.T, s *apptest.Service, provider *fakeai.Running)) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Size: fakeai.Size{Width: 384, Height: 256}})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = provider.Close() }) // nothing is asked of it any more
		test(t, apptest.StartSignedIn(t, apptest.OnDatabase(cfg), func(c *app.Config) {
			c.AI = ai.Config{
				BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard, ImageModelPro: fakeai.ModelPro,
			}
		}), provider)
	})
}

// onPlan gives the account of s a plan, of which so many units are used this month.
func onPlan(t *testing.T, s *apptest.Service, plan string, units, proUnits int) {
	t.Helper()
	id := userID(s, s.Session)
	if _, err := s.App.Users.SetPlan(t.Context(), id, plan); err != nil {
		t.Fatal(err)
	}
	month := usage.MonthOf(time.Now())
	_, err := s.App.DB.Exec(t.Context(), `INSERT INTO usage_months (owner_id, month, units, pro_units) VALUES (?, ?, ?, ?)
		ON CONFLICT (owner_id, month) DO UPDATE SET units = excluded.units, pro_units = excluded.pro_units`,
		id, month, units, proUnits)
	if err != nil {
		t.Fatal(err)
	}
}

// wantReason compares why an image has no AI picture; "" is for one that has.
func wantReason(t *testing.T, r *apptest.Response, want string) *apptest.Response {
	t.Helper()
	r.Want(http.StatusOK)
	if r.Value("ai.fellBack") != (want != "") || r.Text("ai.fallbackReason") != want {
		t.Errorf("got %v, want the reason %q", r.Value("ai"), want)
	}
	return r
}

func left(s *apptest.Service) any {
	return s.Get("/usage", apptest.Bearer(s.Session.Access)).Want(http.StatusOK).Value("ai.left")
}

func usedUnits(s *apptest.Service) float64 {
	return s.Get("/usage", apptest.Bearer(s.Session.Access)).Want(http.StatusOK).Value("ai.used").(float64)
}

// Source: the specification, "Limits" 5: monthly AI image quotas: Free 3, Plus 100, Pro 1000. Pro includes a sub-cap of
// 300 for the pro model. And "Limits" 1: template-only generation and cache hits are unmetered on every plan.
func TestSpecification_aiQuotas(t *testing.T) {
	withAI(t, func(t *testing.T, s *apptest.Service, _ *fakeai.Running) {
		says(t, "5. Monthly AI image quotas: Free 3, Plus 100, Pro 1000.",
			"1. Non-AI generation and cache hits are unmetered on every plan.")
		used := usedUnits(s)
		for plan, units := range map[string]int{"free": 3, "plus": 100, "pro": 1000} {
			onPlan(t, s, plan, units-1, 0)
			last := wantReason(t, s.Generate("/page/"+plan+"-last", look{"ai": true}), "")
			wantReason(t, s.Generate("/page/"+plan+"-beyond", look{"ai": true}), "quota")
			again := wantReason(t, s.Generate("/page/"+plan+"-last", look{"ai": true}), "")
			if again.Text("id") != last.Text("id") {
				t.Errorf("%s: a cache hit was drawn anew", plan)
			}
			if s.Generate("/page/"+plan+"-last", nil).Want(http.StatusOK).Value("ai") != nil {
				t.Errorf("%s: a card without AI was not to be had once the quota was used up", plan)
			}
			if used++; usedUnits(s) != used {
				t.Errorf("%s: got %v units used, want %v: hits and cards without AI take none", plan, usedUnits(s), used)
			}
		}
		says(t, "5. Pro includes a sub-cap of 300 for the pro model.")
		onPlan(t, s, "pro", 299, 299)
		pro := look{"ai": look{"model": "pro"}}
		wantReason(t, s.Generate("/page/cap-last", pro), "")
		wantReason(t, s.Generate("/page/cap-beyond", pro), "quota")
		wantReason(t, s.Generate("/page/cap-standard", look{"ai": true}), "")
		var month string
		err := s.App.DB.Get(t.Context(), &month, `SELECT units || ' ' || pro_units FROM usage_months`)
		if err != nil || month != "301 300" {
			t.Errorf("got units and those of the pro model %q, %v, want 301 and 300", month, err)
		}
	})
}

// Source: the specification, "Limits" 6: ai.model standard needs the Free plan or above, pro needs the Pro plan; and
// "Errors" 402: the image was generated on a higher plan than the current subscription.
func TestSpecification_aiModelsOfThePlans(t *testing.T) {
	withAI(t, func(t *testing.T, s *apptest.Service, _ *fakeai.Running) {
		says(t, "6. ai.model standard needs the Free plan or above.", "6. ai.model pro needs the Pro plan.",
			"402 TIER_LOCKED: the image was generated on a higher plan than the current subscription.")
		pro := look{"ai": look{"model": "pro"}}
		for _, plan := range []string{"free", "plus"} {
			onPlan(t, s, plan, 0, 0)
			wantReason(t, s.Generate("/page/"+plan, look{"ai": look{"model": "standard"}}), "")
			s.Generate("/page/"+plan, pro).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		}
		onPlan(t, s, "pro", 0, 0)
		made := wantReason(t, s.Generate("/page/pro", pro), "")
		onPlan(t, s, "plus", 0, 0)
		s.Generate("/page/pro", pro).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		s.Generate("/page/pro", look{"ai": look{"model": "pro"}, "force": true}).
			WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		s.Get(made.Path("publicUrl")).Want(http.StatusOK) // only POST answers 402
	})
}

// Source: the specification, "Resources" and "Limits" 7: ai.prompt is at most 500 characters; ai.override sends it as
// it is given, else it is blended with context of the page. "States": each ai.* field is part of the cache key.
func TestSpecification_aiPrompt(t *testing.T) {
	withAI(t, func(t *testing.T, s *apptest.Service, _ *fakeai.Running) {
		says(t, "ai true means the standard model with a page-derived prompt.",
			"ai.model is standard or pro, default standard.",
			"ai.override true: the prompt is used as given, otherwise blended with context of the page.",
			"The cache key is projectId, url, kind, template, every style.* field, every ai.* field.",
			"7. ai.prompt is at most 500 characters.")
		onPlan(t, s, "pro", 0, 0)
		prompt := strings.Repeat("ü", 500)
		given := wantReason(t, s.Generate("/page/p", look{"ai": look{"prompt": prompt, "override": true}}), "")
		if got := given.Text("ai.prompt"); got != prompt {
			t.Errorf("override: sent %q, want the prompt as it was given", got)
		}
		blended := wantReason(t, s.Generate("/page/p", look{"ai": look{"prompt": prompt}}), "")
		if got := blended.Text("ai.prompt"); !strings.Contains(got, prompt) || !strings.Contains(got, "Page p") {
			t.Errorf("sent %q, want the prompt together with the page's headline", got)
		}
		s.Generate("/page/p", look{"ai": look{"prompt": prompt + "x"}}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
		seen := map[string]bool{given.Text("id"): true, blended.Text("id"): true}
		for _, other := range []any{true, look{"model": "pro"}, look{"prompt": "fog"}, look{"prompt": "fog", "model": "pro"}} {
			id := wantReason(t, s.Generate("/page/p", look{"ai": other}), "").Text("id")
			if seen[id] {
				t.Errorf("%v: got an image that is another's", other)
			}
			seen[id] = true
		}
		same := wantReason(t, s.Generate("/page/p", look{"ai": look{"model": "standard"}}), "")
		if same.Value("cached") != true {
			t.Error("true means the standard model with a page-derived prompt; got another image")
		}
	})
}

// Source: the specification, "States and transitions": AI fails (quota exhausted, provider error, content-policy
// rejection): template-only render, ai.fellBack is true; and force counts against the monthly AI quota.
func TestSpecification_aiStates(t *testing.T) {
	withAI(t, func(t *testing.T, s *apptest.Service, provider *fakeai.Running) {
		plain := s.Get(s.Generate("/page/s", nil).Want(http.StatusOK).Path("imageUrl")).Want(http.StatusOK)
		fails := func(reason, prompt string) {
			t.Helper()
			r := wantReason(t, s.Generate("/page/s", look{"ai": look{"prompt": prompt}}), reason)
			if card := s.Get(r.Path("imageUrl")).Want(http.StatusOK); !bytes.Equal(card.Body, plain.Body) {
				t.Errorf("%s: got another card than the template's alone", reason)
			}
		}
		says(t, "AI fails (quota exhausted): template-only render, ai.fellBack is true.",
			"AI fails (provider error): template-only render, ai.fellBack is true.",
			"AI fails (content-policy rejection): template-only render, ai.fellBack is true.",
			"Force true counts, for AI images, against the monthly AI quota.")
		provider.Fail(fakeai.Broken, 1)
		fails("provider", "one")
		provider.Fail(fakeai.Policy, 1)
		fails("policy", "two")
		if got := left(s); got != 3.0 {
			t.Errorf("%v units are left, want 3: none is spent on failures", got)
		}
		wantReason(t, s.Generate("/page/forced", look{"ai": true}), "")
		wantReason(t, s.Generate("/page/forced", look{"ai": true, "force": true}), "")
		wantReason(t, s.Generate("/page/forced", look{"ai": true}), "") // a hit costs none
		if got := left(s); got != 1.0 {
			t.Errorf("%v units are left, want 1: force takes one too", got)
		}
		onPlan(t, s, "free", 3, 0)
		fails("quota", "three")
	})
}

// Source: the specification, "Endpoints", GET /og/:publicId: query parameters ai, aiModel and aiPrompt; there is no
// query equivalent of override; any change to a query parameter yields a new cache URL. "Authentication" 3: no
// credential.
func TestSpecification_publicAI(t *testing.T) {
	withAI(t, func(t *testing.T, s *apptest.Service, provider *fakeai.Running) {
		says(t, "Query parameters for AI: ai (true), aiModel (the model), aiPrompt (the prompt).",
			"There is no query equivalent of override.", "Any change to a query parameter yields a new cache URL.")
		onPlan(t, s, "pro", 0, 0)
		project := s.Send("PATCH", "/projects/"+s.Project, map[string]any{"domains": []string{"127.0.0.1"}},
			apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		path := fmt.Sprintf("/og/%s?url=%s", project.Text("publicId"), url.QueryEscape(s.Site.At("/page/og")))
		plain := s.Get(path, apptest.Bearer("no credential at all")).Want(http.StatusOK)
		over := s.Get(path + "&ai=true&aiPrompt=a+harbour&override=true").Want(http.StatusOK)
		if _, prompt := provider.Asked(); !strings.Contains(prompt, "a harbour") || !strings.Contains(prompt, "Page og") {
			t.Errorf("sent %q, want the prompt together with the page's headline", prompt)
		}
		if bytes.Equal(plain.Body, over.Body) {
			t.Error("got the template alone, want an AI picture behind it")
		}
		s.Get(path + "&ai=true&aiPrompt=a+harbour&aiModel=pro").Want(http.StatusOK)
		asked, _ := provider.Asked()
		s.Get(path + "&ai=true&aiPrompt=a+harbour").Want(http.StatusOK)
		if now, _ := provider.Asked(); asked != 2 || now != asked {
			t.Errorf("the provider was asked %d times and %d, want 2: override is no parameter", asked, now)
		}
		var before, after int
		count := func(n *int) {
			t.Helper()
			if err := s.App.DB.Get(t.Context(), n, `SELECT COUNT(*) FROM images`); err != nil {
				t.Fatal(err)
			}
		}
		count(&before)
		changes := []string{
			"&v=1", "&v=2", "&kind=blog_hero", "&template=poster", "&accent=%23aa3300", "&dark=false", "&font=noto-sans",
		}
		for _, change := range changes {
			s.Get(path + change).Want(http.StatusOK)
		}
		if count(&after); after != before+len(changes) {
			t.Errorf("%d changes of parameters made %d images", len(changes), after-before)
		}
	})
}
