package images_test

import (
	"bytes"
	"fmt"
	"net/http"
	"testing"
	"time"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// onBothWithPublicAI runs a test on both databases with a fake provider and a project whose domain is the site's.
func onBothWithPublicAI(
	t *testing.T, cfg fakeai.Config, test func(t *testing.T, s *ogService, provider *fakeai.Running),
	options ...apptest.Option,
) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, d db.Config) {
		option, provider := withAI(t, cfg)
		test(t, onDomain(apptest.StartSignedIn(t, append(options, apptest.OnDatabase(d), option)...)), provider)
	})
}

// wantCache fails the test when the answer may be kept for another time.
func wantCache(t *testing.T, r *apptest.Response, want string) *apptest.Response {
	t.Helper()
	if got := r.Want(http.StatusOK).Header.Get("Cache-Control"); got != want {
		t.Errorf("got Cache-Control %q, want %q", got, want)
	}
	return r
}

// Rule: AI on a miss needs at most half of the owner's monthly units and a tenth of them (at least one) a day over all
// of /og.
func TestPublicAI_takesAShareOfTheUnits(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		first := wantCache(t, s.og(s.Site.At("/page/one"), "ai=true", "aiPrompt=a+harbour"), forever)
		wantUnits(t, s.Service, 1)
		plain := s.og(s.Site.At("/page/one"))
		if bytes.Equal(first.Body, plain.Body) {
			t.Error("got the template alone, want an AI picture behind it")
		}
		wantCache(t, s.og(s.Site.At("/page/two"), "ai=true"), forMinutes)
		wantCache(t, s.og(s.Site.At("/page/two"), "ai=true"), forMinutes)
		wantUnits(t, s.Service, 1)
		if asked, _ := provider.Asked(); asked != 1 {
			t.Errorf("the provider was asked %d times, want once", asked)
		}
		// The owner's own requests have the others.
		wantAI(t, s.Generate("/page/three", withTrue), "")
		wantAI(t, s.Generate("/page/four", withTrue), "")
		wantAI(t, s.Generate("/page/five", withTrue), "quota")
		wantUnits(t, s.Service, 3)
	})
}

// Rule: at most 3 AI misses a day per IP.
func TestPublicAI_addressGetsThreeADay(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		setPlan(t, s.Service, "pro")
		for i := range 3 {
			wantCache(t, s.og(s.Site.At(fmt.Sprint("/page/", i)), "ai=true"), forever)
		}
		wantCache(t, s.og(s.Site.At("/page/3"), "ai=true"), forMinutes)
		wantCache(t, s.og(s.Site.At("/page/2"), "ai=true"), forever)
		wantUnits(t, s.Service, 3)
		if asked, _ := provider.Asked(); asked != 3 {
			t.Errorf("the provider was asked %d times, want 3", asked)
		}
	})
}

// Rule: what a plan lacks gives the template-only render.
func TestPublicAI_whatIsNotAllowedIsTheTemplateAlone(t *testing.T) {
	t.Parallel()
	option, provider := withAI(t, fakeai.Config{})
	s := onDomain(apptest.StartSignedIn(t, option))
	wantCache(t, s.og(s.Site.At("/page/one"), "ai=true", "aiModel=pro"), forMinutes)
	setPlan(t, s.Service, "pro")
	apptest.WaitFor(t, "the plan to be known", func() bool {
		got := s.og(s.Site.At("/page/one"), "ai=true", "aiModel=pro").Want(http.StatusOK)
		return got.Header.Get("Cache-Control") == forever
	})
	s.Send("PATCH", "/projects/"+s.Project, map[string]any{"publicAi": false}, apptest.Bearer(s.Session.Access)).
		Want(http.StatusOK)
	wantCache(t, s.og(s.Site.At("/page/two"), "ai=true"), forever)
	if asked, _ := provider.Asked(); asked != 1 {
		t.Errorf("the provider was asked %d times, want once", asked)
	}
	wantUnits(t, s.Service, 1)
}

// Rule: at most 3 policy rejections a day per project, then publicAi goes off and the owner is told.
func TestPublicAI_endsWithTheThirdRejection(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		setPlan(t, s.Service, "pro")
		provider.Fail(fakeai.Policy, 3)
		for i := range 3 {
			wantCache(t, s.og(s.Site.At(fmt.Sprint("/page/", i)), "ai=true"), forever) // for good
		}
		project := s.Get("/projects/"+s.Project, apptest.Bearer(s.Session.Access)).Want(http.StatusOK)
		if project.Value("publicAi") != false {
			t.Error("publicAi is still on")
		}
		if n := count(t, s.Service, `SELECT COUNT(*) FROM audit_events WHERE action = 'public_ai_stop'`); n != 1 {
			t.Errorf("the audit log tells of it %d times, want once", n)
		}
		wantUnits(t, s.Service, 0)
	})
}

// Rule: 8 s on /og, then the fallback; the picture is stored when it comes, and its unit kept.
func TestPublicAI_lateOneIsKeptForThoseWhoComeAfter(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{Delay: time.Second}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		first := wantCache(t, s.og(s.Site.At("/page/one"), "ai=true"), forMinutes)
		if got := first.Header.Get("X-Masthead-Fallback"); got != "" {
			t.Errorf("got X-Masthead-Fallback %q, want the page's own card", got)
		}
		var late *apptest.Response
		apptest.WaitFor(t, "the late picture", func() bool {
			late = s.og(s.Site.At("/page/one"), "ai=true").Want(http.StatusOK)
			return late.Header.Get("Cache-Control") == forever
		})
		if bytes.Equal(late.Body, first.Body) {
			t.Error("got the same card")
		}
		wantUnits(t, s.Service, 1)
		if asked, _ := provider.Asked(); asked != 1 {
			t.Errorf("the provider was asked %d times, want once", asked)
		}
	}, func(c *app.Config) { c.Images.PublicAITime = 50 * time.Millisecond })
}

func TestPublicAI_lateFaultGivesTheUnitBack(t *testing.T) {
	t.Parallel()
	onBothWithPublicAI(t, fakeai.Config{Delay: time.Second}, func(t *testing.T, s *ogService, provider *fakeai.Running) {
		provider.Fail(fakeai.Garbage, 1)
		wantCache(t, s.og(s.Site.At("/page/one"), "ai=true"), forMinutes)
		apptest.WaitFor(t, "the unit to be given back", func() bool {
			return count(t, s.Service, `SELECT COUNT(*) FROM usage_units WHERE state = 'released'`) == 1
		})
		wantUnits(t, s.Service, 0)
		wantCache(t, s.og(s.Site.At("/page/one"), "ai=true"), forMinutes)
	}, func(c *app.Config) { c.Images.PublicAITime = 50 * time.Millisecond })
}
