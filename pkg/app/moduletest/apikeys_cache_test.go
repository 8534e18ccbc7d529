package moduletest_test

import (
	"net/http"
	"testing"
	"time"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// within is how soon changes take effect on other nodes. Source: docs/security.md#accounts-sessions-and-keys.
const within = 5 * time.Second

// endings are all that ends a key, each done on one node.
var endings = map[string]func(t *testing.T, h *apptest.Service, owner apptest.Session, project, keyID string){
	"revoked": func(_ *testing.T, h *apptest.Service, owner apptest.Session, _, keyID string) {
		h.Send(http.MethodDelete, "/keys/"+keyID, nil, apptest.Bearer(owner.Access)).Want(http.StatusNoContent)
	},
	"rotated": func(_ *testing.T, h *apptest.Service, owner apptest.Session, _, keyID string) {
		h.Post("/keys/"+keyID+"/rotate", nil, apptest.Bearer(owner.Access)).Want(http.StatusCreated)
	},
	"project deleted": func(_ *testing.T, h *apptest.Service, owner apptest.Session, project, _ string) {
		h.Send(http.MethodDelete, "/projects/"+project, nil, apptest.Bearer(owner.Access)).Want(http.StatusNoContent)
	},
	"account deleted": func(_ *testing.T, h *apptest.Service, owner apptest.Session, _, _ string) {
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(owner.Access)).Want(http.StatusNoContent)
	},
	"account disabled": func(_ *testing.T, h *apptest.Service, owner apptest.Session, _, _ string) {
		h.Send(http.MethodPatch, "/admin/users/"+h.ID(owner), map[string]any{"disabled": true},
			apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
	},
}

// asks is the status of a request with a key.
func asks(h *apptest.Service, key, project string) int {
	return h.Post("/images/generate", map[string]any{"url": h.Site.At("/page/kept"), "projectId": project},
		apptest.Bearer(key)).Status
}

// TestKey_endsAtOnceHere uses a key until it is remembered, together with the image that it asks for, and ends it.
func TestKey_endsAtOnceHere(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for what, end := range endings {
			owner := h.Register()
			project := h.NewProject(owner)
			key := h.NewKey(owner, project)
			id := h.Get("/keys", apptest.Bearer(owner.Access)).Want(http.StatusOK).Text("items.0.id")
			for range 3 {
				if got := asks(h, key, project); got != http.StatusOK {
					t.Fatalf("%s: got %d before, want 200", what, got)
				}
			}
			end(t, h, owner, project, id)
			if got := asks(h, key, project); got != http.StatusUnauthorized {
				t.Errorf("%s: got %d after, want 401", what, got)
			}
		}
	})
}

// TestKey_endsSoonElsewhere ends keys on one node that another has just used.
func TestKey_endsSoonElsewhere(t *testing.T) {
	t.Parallel()
	dbtest.RunPostgres(t, func(t *testing.T, url string) {
		h := apptest.StartSignedIn(t, apptest.OnDatabase(db.Config{URL: url}))
		node := h.StartNode()
		for what, end := range endings {
			t.Run(what, func(t *testing.T) {
				t.Parallel()
				here, other := h.With(t), node.With(t)
				owner := here.Register()
				project := here.NewProject(owner)
				key := here.NewKey(owner, project)
				id := here.Get("/keys", apptest.Bearer(owner.Access)).Want(http.StatusOK).Text("items.0.id")
				for range 3 {
					if got := asks(other, key, project); got != http.StatusOK {
						t.Fatalf("got %d before, want 200", got)
					}
				}
				end(t, here, owner, project, id)
				ended := time.Now()
				apptest.WaitFor(t, "the end of the key", func() bool {
					asked := time.Now()
					got := asks(other, key, project)
					if got != http.StatusUnauthorized && asked.Sub(ended) > within {
						t.Fatalf("got %d, asked %v after the end, want 401", got, asked.Sub(ended))
					}
					return got == http.StatusUnauthorized
				})
			})
		}
	})
}

// TestKey_planIsItsOwnersAtOnce changes the plan of an account whose key is remembered.
func TestKey_planIsItsOwnersAtOnce(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		owner := h.Register()
		project := h.NewProject(owner)
		pro := map[string]any{
			"url": h.Site.At("/page/pro"), "projectId": project, "ai": map[string]any{"model": "pro"},
		}
		key := apptest.Bearer(h.NewKey(owner, project))
		h.Post("/images/generate", pro, key).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
		set := func(plan string) {
			h.Send(http.MethodPatch, "/admin/users/"+h.ID(owner), map[string]any{"plan": plan},
				apptest.Bearer(h.Session.Access)).Want(http.StatusOK)
		}
		set("pro")
		h.Post("/images/generate", pro, key).Want(http.StatusOK)
		caller, err := h.App.Keys.Authenticate(t.Context(), h.NewKey(owner, project))
		if err != nil || caller.Plan != "pro" {
			t.Errorf("got the plan %q, %v, want pro", caller.Plan, err)
		}
		set("free")
		h.Post("/images/generate", pro, key).WantProblem(http.StatusPaymentRequired, "TIER_LOCKED")
	})
}
