package images_test

import (
	"bytes"
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/billing"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/testenv"
)

// withAI has a service ask a fake provider, which ends with the test. Its pictures are small unless cfg says otherwise,
// so that they are drawn soon.
func withAI(t *testing.T, cfg fakeai.Config) (apptest.Option, *fakeai.Running) {
	t.Helper()
	if cfg.Size == (fakeai.Size{}) {
		cfg.Size = fakeai.Size{Width: 384, Height: 256}
	}
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", cfg)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() }) // some tests have closed it
	return func(c *app.Config) {
		c.AI = ai.Config{
			BaseURL: provider.BaseURL, ImageModelStandard: fakeai.ModelStandard, ImageModelPro: fakeai.ModelPro,
			PictureTime: 5 * time.Second,
		}
	}, provider
}

// onBothWithAI is [apptest.OnBoth] for a service that asks a fake provider.
func onBothWithAI(t *testing.T, test func(t *testing.T, h *apptest.Service, provider *fakeai.Running)) {
	t.Helper()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		option, provider := withAI(t, fakeai.Config{})
		test(t, apptest.StartSignedIn(t, apptest.OnDatabase(cfg), option), provider)
	})
}

// setPlan gives the user of h a plan.
func setPlan(t *testing.T, h *apptest.Service, plan string) {
	t.Helper()
	user, err := h.App.Users.ByEmail(t.Context(), h.Session.Email)
	if err == nil {
		_, err = h.App.Users.SetPlan(t.Context(), user.ID, plan)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// count returns the number that a query gives.
func count(t *testing.T, h *apptest.Service, query string, args ...any) (n int) {
	t.Helper()
	if err := h.App.DB.Get(t.Context(), &n, query, args...); err != nil {
		t.Fatal(err)
	}
	return n
}

// wantUnits compares the units of the ledger, in its sums and in its rows, with the AI pictures that there are.
func wantUnits(t *testing.T, h *apptest.Service, want int) {
	t.Helper()
	if got := count(t, h, `SELECT COALESCE(SUM(units), 0) FROM usage_months`); got != want {
		t.Errorf("the months count %d units, want %d", got, want)
	}
	if got := count(t, h, `SELECT COUNT(*) FROM usage_units WHERE state = 'kept'`); got != want {
		t.Errorf("%d units are kept, want %d", got, want)
	}
	if got := count(t, h, `SELECT COUNT(*) FROM usage_units WHERE state = 'reserved'`); got != 0 {
		t.Errorf("%d units are still reserved", got)
	}
}

// wantAI fails the test when the answer is no image with an AI picture behind it, or none that fell back for the
// reason.
func wantAI(t *testing.T, r *apptest.Response, reason string) *apptest.Response {
	t.Helper()
	r.Want(http.StatusOK)
	if r.Value("ai.enabled") != true || r.Value("ai.fellBack") != (reason != "") || r.Text("ai.fallbackReason") != reason {
		t.Errorf("got %v, want the reason %q", r.Value("ai"), reason)
	}
	return r
}

// older makes all images look as if they had been kept so long ago.
func older(t *testing.T, h *apptest.Service, by time.Duration) {
	t.Helper()
	_, err := h.App.DB.Exec(t.Context(), `UPDATE images SET updated_at = updated_at - ?`, by.Milliseconds())
	if err != nil {
		t.Fatal(err)
	}
}

var withTrue = map[string]any{"ai": true}

// quickly is withTrue in the design that takes the least time, for tests of many images.
var quickly = map[string]any{"ai": true, "template": "minimal"}

func TestAI_pictureStandsBehindTheText(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		plain := h.Generate("/page/harbour", nil).Want(http.StatusOK)
		made := wantAI(t, h.Generate("/page/harbour", withTrue), "")
		_, prompt := provider.Asked()
		if made.Text("ai.model") != "standard" || made.Text("ai.prompt") != prompt || made.Value("cached") != false {
			t.Errorf("got %v, want the standard model and the prompt %q", made.Value("ai"), prompt)
		}
		for _, part := range []string{
			"Page harbour", "What the page called harbour is all about", "teal", "dark tones", "on the left", "no letters",
		} {
			if !strings.Contains(prompt, part) {
				t.Errorf("the prompt lacks %q: %s", part, prompt)
			}
		}
		if plain.Text("id") == made.Text("id") || plain.Value("ai") != nil {
			t.Errorf("without AI: got %s with %v, want another image without", plain.Text("id"), plain.Value("ai"))
		}
		card, over := h.Get(plain.Path("imageUrl")).Want(http.StatusOK), h.Get(made.Path("imageUrl")).Want(http.StatusOK)
		if bytes.Equal(card.Body, over.Body) {
			t.Error("the card is the same with the AI picture as without")
		}
		again := wantAI(t, h.Generate("/page/harbour", map[string]any{"ai": map[string]any{"model": "standard"}}), "")
		if again.Text("id") != made.Text("id") || again.Value("cached") != true || again.Value("generationMs") != nil {
			t.Errorf("again: got %s, want the kept image", again.Body)
		}
		off := h.Generate("/page/harbour", map[string]any{"ai": false}).Want(http.StatusOK)
		if off.Text("id") != plain.Text("id") || off.Value("ai") != nil {
			t.Errorf("ai false: got %s, want the image without", off.Body)
		}
		if n, _ := provider.Asked(); n != 1 {
			t.Errorf("the provider was asked %d times, want once", n)
		}
		wantUnits(t, h, 1)
	})
}

func TestAI_promptOfTheRequest(t *testing.T) {
	t.Parallel()
	option, provider := withAI(t, fakeai.Config{})
	h := apptest.StartSignedIn(t, option)
	const own = "A harbour at dawn, in fog"
	ask := func(ai map[string]any) *apptest.Response {
		return h.Generate("/page/harbour", map[string]any{"ai": ai})
	}
	blended := wantAI(t, ask(map[string]any{"prompt": own}), "")
	if got := blended.Text("ai.prompt"); !strings.Contains(got, own) || !strings.Contains(got, "Page harbour") {
		t.Errorf("blended: got %q, want both", got)
	}
	given := wantAI(t, ask(map[string]any{"prompt": own, "override": true}), "")
	if _, sent := provider.Asked(); given.Text("ai.prompt") != own || sent != own {
		t.Errorf("overridden: got %q, sent %q, want %q", given.Text("ai.prompt"), sent, own)
	}
	if given.Text("id") == blended.Text("id") {
		t.Error("both have one key")
	}
	ask(map[string]any{"prompt": strings.Repeat("x", 501)}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	ask(map[string]any{"model": "huge"}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	empty := ask(map[string]any{"override": true}).WantProblem(http.StatusBadRequest, "BAD_REQUEST")
	if got := empty.Text("errors.0.pointer"); got != "/ai/prompt" {
		t.Errorf("override without a prompt: got the pointer %q", got)
	}
	wantUnits(t, h, 2)
}

// Rule: an AI render that fails is a template-only render.
func TestAI_faultsOfTheProviderAreNone(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		plain := h.Generate("/page/faults", nil).Want(http.StatusOK)
		card := h.Get(plain.Path("imageUrl")).Want(http.StatusOK).Body
		for fault, reason := range map[fakeai.Fault]string{
			fakeai.Busy: "provider", fakeai.Broken: "provider", fakeai.Unauthorized: "provider", fakeai.Garbage: "provider",
			fakeai.Empty: "provider", fakeai.Garbled: "provider", fakeai.Cut: "provider", fakeai.Huge: "provider",
			fakeai.Redirect: "provider", fakeai.Policy: "policy",
		} {
			t.Run(string(fault), func(t *testing.T) {
				h := h.With(t)
				provider.Fail(fault, 1)
				r := wantAI(t, h.Generate("/page/faults", map[string]any{"ai": map[string]any{"prompt": "for " + string(fault)}}),
					reason)
				if !strings.Contains(r.Text("ai.prompt"), "for "+string(fault)) {
					t.Errorf("got the prompt %q, want the one that was sent", r.Text("ai.prompt"))
				}
				if got := h.Get(r.Path("imageUrl")).Want(http.StatusOK).Body; !bytes.Equal(got, card) {
					t.Error("the card is not that of the template alone")
				}
				wantUnits(t, h, 0)
			})
		}
	})
}

// TestAI_pictureThatFillsNoCardIsAFaultOfTheProvider has the provider give pictures around the least size and the
// longest form.
func TestAI_pictureThatFillsNoCardIsAFaultOfTheProvider(t *testing.T) {
	t.Parallel()
	for size, reason := range map[fakeai.Size]string{
		{Width: 256, Height: 256}: "", {Width: 1024, Height: 256}: "", {Width: 256, Height: 1024}: "",
		{Width: 255, Height: 400}: "provider", {Width: 400, Height: 255}: "provider",
		{Width: 1025, Height: 256}: "provider", {Width: 256, Height: 1025}: "provider", {Width: 64, Height: 64}: "provider",
	} {
		t.Run(fmt.Sprintf("%dx%d", size.Width, size.Height), func(t *testing.T) {
			t.Parallel()
			option, _ := withAI(t, fakeai.Config{Size: size})
			h := apptest.StartSignedIn(t, option)
			plain := h.Get(h.Generate("/page/one", nil).Path("imageUrl")).Want(http.StatusOK).Body
			made := h.Get(wantAI(t, h.Generate("/page/one", withTrue), reason).Path("imageUrl")).Want(http.StatusOK).Body
			if bytes.Equal(made, plain) != (reason != "") {
				t.Errorf("the card of the template alone is %v, want %v", bytes.Equal(made, plain), reason != "")
			}
			wantUnits(t, h, map[string]int{"": 1, "provider": 0}[reason])
		})
	}
}

func TestAI_slowProviderIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	option, _ := withAI(t, fakeai.Config{Fault: fakeai.Slow})
	h := apptest.StartSignedIn(t, option, func(c *app.Config) { c.AI.PictureTime = 100 * time.Millisecond })
	wantAI(t, h.Generate("/page/slow", withTrue), "provider")
	wantUnits(t, h, 0)
}

// Rule: a stored fallback is a hit as long as its reason stands.
func TestAI_fallbackStandsAsLongAsItsReason(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		asked := func() int { n, _ := provider.Asked(); return n }
		provider.Fail(fakeai.Broken, 1)
		first := wantAI(t, h.Generate("/page/rest", withTrue), "provider")
		older(t, h, 4*time.Minute)
		if r := wantAI(t, h.Generate("/page/rest", withTrue), "provider"); r.Value("cached") != true || asked() != 1 {
			t.Errorf("after 4 minutes: cached %v, asked %d times; want the kept card", r.Value("cached"), asked())
		}
		older(t, h, time.Minute)
		better := wantAI(t, h.Generate("/page/rest", withTrue), "")
		if better.Value("cached") != false || asked() != 2 || better.Text("id") != first.Text("id") ||
			better.Text("imageUrl") == first.Text("imageUrl") {
			t.Errorf("after 5 minutes: got %s, want another picture of the same image", better.Body)
		}

		provider.Fail(fakeai.Policy, 1)
		wantAI(t, h.Generate("/page/rules", withTrue), "policy")
		older(t, h, 300*24*time.Hour)
		if r := wantAI(t, h.Generate("/page/rules", withTrue), "policy"); r.Value("cached") != true || asked() != 3 {
			t.Errorf("a refused prompt: cached %v, asked %d times; want the kept card for good", r.Value("cached"), asked())
		}
		wantUnits(t, h, 1)
	})
}

func TestAI_quotaIsThatOfThePlan(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		for i := range 3 {
			wantAI(t, h.Generate(fmt.Sprint("/page/q", i), withTrue), "")
		}
		fourth := wantAI(t, h.Generate("/page/q4", withTrue), "quota")
		if fourth.Value("ai.prompt") != nil {
			t.Errorf("got the prompt %q, but none was sent", fourth.Text("ai.prompt"))
		}
		if r := wantAI(t, h.Generate("/page/q4", withTrue), "quota"); r.Value("cached") != true {
			t.Error("while no unit is left the card is not the kept one")
		}
		wantUnits(t, h, 3)
		setPlan(t, h, billing.Plus)
		if r := wantAI(t, h.Generate("/page/q4", withTrue), ""); r.Text("id") != fourth.Text("id") {
			t.Errorf("with units again: got the id %s, want %s", r.Text("id"), fourth.Text("id"))
		}
		wantUnits(t, h, 4)
		if n, _ := provider.Asked(); n != 4 {
			t.Errorf("the provider was asked %d times, want 4", n)
		}
	})
}

// Rule: a fallback never replaces an AI image under the key.
func TestAI_forceKeepsThePictureWhenItFails(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		kept := wantAI(t, h.Generate("/page/force", withTrue), "")
		forced := map[string]any{"ai": true, "force": true}
		provider.Fail(fakeai.Broken, 1)
		failed := wantAI(t, h.Generate("/page/force", forced), "provider")
		if failed.Text("id") != kept.Text("id") || failed.Text("publicUrl") != kept.Text("publicUrl") ||
			failed.Text("imageUrl") == kept.Text("imageUrl") || failed.Value("cached") != false {
			t.Errorf("got %s, want the kept image with another card", failed.Body)
		}
		h.Get(failed.Path("imageUrl")).Want(http.StatusOK)
		stored := wantAI(t, h.Get("/images/"+kept.Text("id"), apptest.Bearer(h.Key)), "")
		if stored.Text("imageUrl") != kept.Text("imageUrl") {
			t.Error("the fallback replaced the AI picture")
		}
		if r := wantAI(t, h.Generate("/page/force", withTrue), ""); r.Value("cached") != true {
			t.Error("without force: got a new picture, want the kept one")
		}
		wantUnits(t, h, 1)
		anew := wantAI(t, h.Generate("/page/force", forced), "")
		if anew.Text("id") != kept.Text("id") || anew.Value("cached") != false {
			t.Errorf("got %s, want the same image anew", anew.Body)
		}
		wantUnits(t, h, 2)
	})
}

func TestAI_modelOfAHigherPlanIs402(t *testing.T) {
	t.Parallel()
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		pro := map[string]any{"ai": map[string]any{"model": "pro"}}
		locked := h.Generate("/page/pro", pro).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		if locked.Text("errors.0.pointer") != "/ai/model" {
			t.Errorf("got %s, want the field", locked.Body)
		}
		setPlan(t, h, billing.Pro)
		made := wantAI(t, h.Generate("/page/pro", pro), "")
		setPlan(t, h, billing.Free)
		h.Generate("/page/pro", pro).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		h.Get(made.Path("publicUrl")).Want(http.StatusOK)
		h.Get(made.Path("imageUrl")).Want(http.StatusOK)
		if n, _ := provider.Asked(); n != 1 {
			t.Errorf("the provider was asked %d times, want once", n)
		}
	})
}

func TestAI_offUntilAProviderIsConfigured(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		h := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}))
		first := wantAI(t, h.Generate("/page/off", withTrue), "off")
		if first.Value("ai.prompt") != nil {
			t.Errorf("got the prompt %q, but none was sent", first.Text("ai.prompt"))
		}
		if r := wantAI(t, h.Generate("/page/off", withTrue), "off"); r.Value("cached") != true {
			t.Error("the card is not the kept one")
		}
		option, _ := withAI(t, fakeai.Config{})
		option(&h.Config)
		if r := wantAI(t, h.StartNode().Generate("/page/off", withTrue), ""); r.Text("id") != first.Text("id") {
			t.Errorf("with a provider: got the id %s, want %s", r.Text("id"), first.Text("id"))
		}
		wantUnits(t, h, 1)
	})
}

// TestAI_clientWhoLeavesLosesNoPicture has a client leave while the provider draws.
func TestAI_clientWhoLeavesLosesNoPicture(t *testing.T) {
	t.Parallel()
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		option, provider := withAI(t, fakeai.Config{Delay: 300 * time.Millisecond})
		h := apptest.StartSignedIn(t, apptest.OnDatabase(cfg), option)
		ctx, leave := context.WithCancel(t.Context())
		left := make(chan error, 1)
		go func() { left <- send(ctx, h, "/page/leave") }()
		apptest.WaitFor(t, "the provider to be asked", func() bool { n, _ := provider.Asked(); return n == 1 })
		leave()
		if err := <-left; err == nil {
			t.Fatal("the client got its answer, so it did not leave")
		}
		apptest.WaitFor(t, "the image to be kept", func() bool { return count(t, h, `SELECT COUNT(*) FROM images`) == 1 })
		if r := wantAI(t, h.Generate("/page/leave", withTrue), ""); r.Value("cached") != true {
			t.Error("got a new picture, want the one that was paid for")
		}
		if n, _ := provider.Asked(); n != 1 {
			t.Errorf("the provider was asked %d times, want once", n)
		}
		wantUnits(t, h, 1)
	})
}

// send asks for an AI image of a page and leaves when ctx ends.
func send(ctx context.Context, h *apptest.Service, path string) error {
	body := fmt.Sprintf(`{"url": %q, "projectId": %q, "ai": true}`, h.Site.At(path), h.Project)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, h.Base+"/images/generate", strings.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Authorization", "Bearer "+h.Key)
	r.Header.Set("Content-Type", "application/json")
	response, err := h.Client.Do(r)
	if err == nil {
		err = response.Body.Close()
	}
	return err
}

// TestAI_killedProviderInTheMiddleOf100 kills the provider after some of its pictures.
func TestAI_killedProviderInTheMiddleOf100(t *testing.T) {
	testenv.FullSpeed(t)
	onBothWithAI(t, func(t *testing.T, h *apptest.Service, provider *fakeai.Running) {
		setPlan(t, h, billing.Plus)
		answers := make([]*apptest.Response, 100)
		var next, work sync.WaitGroup
		turn := make(chan int)
		next.Go(func() {
			defer close(turn)
			for i := range answers {
				turn <- i
			}
		})
		for range 10 {
			work.Go(func() {
				for i := range turn {
					answers[i] = h.Generate(fmt.Sprint("/page/killed", i), quickly)
				}
			})
		}
		apptest.WaitFor(t, "some pictures", func() bool { n, _ := provider.Asked(); return n >= 30 })
		if err := provider.Close(); err != nil {
			t.Fatal(err)
		}
		next.Wait()
		work.Wait()
		pictures := 0
		for _, a := range answers {
			reason := ""
			if a.Want(http.StatusOK).Value("ai.fellBack") == true {
				reason = "provider"
			} else {
				pictures++
			}
			wantAI(t, a, reason)
			if card := h.Get(a.Path("imageUrl")).Want(http.StatusOK); len(card.Body) < 1000 {
				t.Errorf("a card of %d bytes", len(card.Body))
			}
		}
		if pictures < 10 || pictures > 90 {
			t.Errorf("%d pictures of 100, want some before the end of the provider and some after", pictures)
		}
		wantUnits(t, h, pictures)
	})
}

// TestAI_200AtOnceShare3Units asks on every node at once.
func TestAI_200AtOnceShare3Units(t *testing.T) {
	share := func(t *testing.T, provider *fakeai.Running, nodes ...*apptest.Service) {
		t.Helper()
		answers := make([]*apptest.Response, testenv.Crowd(200))
		var work sync.WaitGroup
		for i := range answers {
			work.Go(func() {
				path := fmt.Sprint("/page/share", i)
				answers[i] = nodes[i%len(nodes)].Generate(path, quickly)
				for try := 0; answers[i].Status == http.StatusServiceUnavailable && try < 100; try++ {
					time.Sleep(100 * time.Millisecond) // a slow machine may be too busy for all of them at once
					answers[i] = nodes[i%len(nodes)].Generate(path, quickly)
				}
			})
		}
		work.Wait()
		reasons := map[string]int{}
		for _, a := range answers {
			a.Want(http.StatusOK)
			reasons[a.Text("ai.fallbackReason")]++
		}
		if reasons[""] != 3 || reasons["quota"] != len(answers)-3 {
			t.Errorf("got the reasons %v, want 3 pictures, else fallbacks", reasons)
		}
		if n, _ := provider.Asked(); n != 3 {
			t.Errorf("the provider was asked %d times, want 3", n)
		}
		wantUnits(t, nodes[0], 3)
	}
	t.Run("sqlite", func(t *testing.T) {
		option, provider := withAI(t, fakeai.Config{Delay: 50 * time.Millisecond})
		share(t, provider, apptest.StartSignedIn(t, option))
	})
	t.Run("two nodes", func(t *testing.T) {
		dbtest.RunPostgres(t, func(t *testing.T, url string) {
			option, provider := withAI(t, fakeai.Config{Delay: 50 * time.Millisecond})
			one := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}), option)
			share(t, provider, one, one.StartNode())
		})
	})
}
