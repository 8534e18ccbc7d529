package moduletest_test

import (
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"

	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
)

func change(h *apptest.Service, id string, fields map[string]any) *apptest.Response {
	return h.Send(http.MethodPatch, "/admin/users/"+id, fields, apptest.Bearer(h.Session.Access))
}

// The first registered account of a fresh installation is its admin: here the one of the session.
func TestUpdate_planIsTheAccountsAtOnce(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.Register()
		id := h.ID(other)
		changed := change(h, id, map[string]any{"plan": "plus"}).Want(http.StatusOK)
		if changed.Text("plan") != "plus" || changed.Text("role") != "user" || changed.Value("disabled") != false {
			t.Errorf("got %s, want the plan plus and nothing else changed", changed.Body)
		}
		user := apptest.Bearer(other.Access)
		if got := h.Get("/users/me", user).Want(http.StatusOK).Text("plan"); got != "plus" {
			t.Errorf("its owner sees the plan %s, want plus", got)
		}
		if got := h.Get("/usage", user).Want(http.StatusOK).Value("ai.limit"); got != 100.0 {
			t.Errorf("got %v AI units, want 100", got)
		}
		var events []string
		err := h.App.DB.Select(t.Context(), &events,
			`SELECT subject FROM audit_events WHERE action = 'plan_change' AND actor_id = ?`, h.ID(h.Session))
		if want := id + ": free -> plus"; err != nil || len(events) != 1 || events[0] != want {
			t.Errorf("the audit log has %v, %v, want %s", events, err, want)
		}
	})
}

// Decisions.md: disabled: sessions end within 10 s, and keys stop.
func TestUpdate_disabledAccountIsShutOut(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		other := h.Register()
		id, project := h.ID(other), h.NewProject(other)
		key := apptest.Bearer(h.NewKey(other, project))
		login := map[string]any{"email": other.Email, "password": other.Password}
		shutOut := func(when string) {
			t.Helper()
			for what, r := range map[string]*apptest.Response{
				"session": h.Get("/users/me", apptest.Bearer(other.Access)),
				"cookie":  h.Get("/users/me", apptest.Header("Cookie", "access_token="+other.Access)),
				"refresh": h.Post("/auth/refresh", map[string]any{"refreshToken": other.Refresh}),
			} {
				if r.Status != http.StatusUnauthorized {
					t.Errorf("%s: the %s gets %d, want 401", when, what, r.Status)
				}
			}
		}
		change(h, id, map[string]any{"disabled": true}).Want(http.StatusOK)
		shutOut("disabled")
		h.Get("/images", key).Want(http.StatusUnauthorized)
		h.Post("/auth/login", login).Want(http.StatusUnauthorized)
		if token := h.ResetLinkOf(id, other.Email); token != "" {
			t.Errorf("a disabled account gets the link %s", token)
		}
		// Enabled again, it signs in; its sessions have ended for good.
		change(h, id, map[string]any{"disabled": false}).Want(http.StatusOK)
		shutOut("enabled again")
		h.Get("/images", key).Want(http.StatusOK)
		h.Post("/auth/login", login).Want(http.StatusOK)
	})
}

func TestUpdate_roleIsTakenAndGiven(t *testing.T) {
	h := apptest.StartSignedIn(t)
	other := h.Register()
	id, me := h.ID(other), h.ID(h.Session)
	asOther := apptest.Bearer(other.Access)
	h.Get("/admin/users", asOther).WantProblem(http.StatusForbidden, "FORBIDDEN")
	change(h, id, map[string]any{"role": "admin"}).Want(http.StatusOK)
	h.Get("/admin/users", asOther).Want(http.StatusOK)
	// One's own role and access are another admin's to take; so there always is one.
	change(h, me, map[string]any{"role": "user"}).WantProblem(http.StatusConflict, "CONFLICT")
	change(h, me, map[string]any{"disabled": true}).WantProblem(http.StatusConflict, "CONFLICT")
	change(h, me, map[string]any{"plan": "pro", "role": "admin", "disabled": false}).Want(http.StatusOK)
	h.Send(http.MethodPatch, "/admin/users/"+me, map[string]any{"role": "user"}, asOther).Want(http.StatusOK)
	h.Get("/admin/users", apptest.Bearer(h.Session.Access)).Want(http.StatusForbidden)
	// A key is no admin's session.
	h.Get("/admin/users", apptest.Bearer(h.Key)).Want(http.StatusUnauthorized)
}

func TestFind_byPartOfAddressOrName(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		admin := apptest.Bearer(h.Session.Access)
		for _, who := range []struct{ email, name string }{
			{"ada@one.example", "Ada Lovelace"}, {"Grace@two.example", "Grace Hopper"}, {"per%cent_@two.example", ""},
		} {
			body := map[string]any{"email": who.email, "password": apptest.Password, "name": who.name}
			h.Post("/admin/users", body, admin).Want(http.StatusCreated)
		}
		for query, want := range map[string]string{
			"ADA": "ada@one.example", "hopper": "Grace@two.example", "TWO.example": "per%cent_@two.example Grace@two.example",
			"%25c": "per%cent_@two.example", "t_@": "per%cent_@two.example", "nobody": "", "a%25e": "", `%5C`: "",
		} {
			r := h.Get("/admin/users?query="+query, admin).Want(http.StatusOK)
			var got []string
			for i := range 10 {
				if email := r.Text(fmt.Sprintf("items.%d.email", i)); email != "" {
					got = append(got, email)
				}
			}
			if strings.Join(got, " ") != want {
				t.Errorf("%s: got %v, want %s", query, got, want)
			}
		}
		first := h.Get("/admin/users?limit=3", admin).Want(http.StatusOK)
		rest := h.Get("/admin/users?limit=3&cursor="+first.Text("nextCursor"), admin).Want(http.StatusOK)
		if rest.Text("items.0.email") != h.Session.Email || rest.Value("nextCursor") != nil {
			t.Errorf("the second page is %s", rest.Body)
		}
	})
}

// MASTHEAD_REGISTRATION=closed: only the first user may register; others are made by the admin.
func TestCreate_worksWhereRegistrationIsClosed(t *testing.T) {
	h := apptest.StartSignedIn(t, func(c *app.Config) { c.Auth.Registration = "closed" })
	body := map[string]any{"email": "ada@example.com", "password": apptest.Password}
	h.Post("/auth/register", body).WantProblem(http.StatusForbidden, "FORBIDDEN")
	made := h.Post("/admin/users", body, apptest.Bearer(h.Session.Access)).Want(http.StatusCreated)
	if made.Text("role") != "user" || made.Text("plan") != "free" {
		t.Errorf("got %s, want an ordinary account", made.Body)
	}
	h.Post("/auth/login", body).Want(http.StatusOK)
}

// Decisions.md 2: the sessions of a disabled account end within 10 s, whichever node has seen them; its keys as soon. A
// machine may be slow, so what is shown here is that they end.
func TestUpdate_disabledAccountIsShutOutOfOtherNodes(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		node, other := h.StartNode(), h.Register()
		session, key := apptest.Bearer(other.Access), apptest.Bearer(h.NewKey(other, ""))
		for range 2 {
			node.Get("/users/me", session).Want(http.StatusOK)
			node.Get("/images", key).Want(http.StatusOK)
		}
		change(h, h.ID(other), map[string]any{"disabled": true}).Want(http.StatusOK)
		apptest.WaitFor(t, "the session and the key to end", func() bool {
			return node.Get("/users/me", session).Status == http.StatusUnauthorized &&
				node.Get("/images", key).Status == http.StatusUnauthorized
		})
	})
}

// TestAdmins_oneIsAlwaysLeft has all admins of an installation go at once: by deleting their accounts, and by taking
// each other's role.
func TestAdmins_oneIsAlwaysLeft(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		nodes := []*apptest.Service{h, h.StartNode()}
		for name, leave := range map[string]func(node *apptest.Service, admin, next apptest.Session) *apptest.Response{
			"deleted": func(node *apptest.Service, admin, _ apptest.Session) *apptest.Response {
				return node.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(admin.Access))
			},
			"demoted": func(node *apptest.Service, admin, next apptest.Session) *apptest.Response {
				return node.Send(http.MethodPatch, "/admin/users/"+h.ID(next), map[string]any{"role": "user"},
					apptest.Bearer(admin.Access))
			},
			"disabled": func(node *apptest.Service, admin, next apptest.Session) *apptest.Response {
				return node.Send(http.MethodPatch, "/admin/users/"+h.ID(next), map[string]any{"disabled": true},
					apptest.Bearer(admin.Access))
			},
		} {
			// As if there were no others.
			if _, err := h.App.DB.Exec(t.Context(), `UPDATE users SET role = 'user'`); err != nil {
				t.Fatal(err)
			}
			all := make([]apptest.Session, 4)
			for i := range all {
				all[i] = h.Register()
				if _, err := h.App.Users.Promote(t.Context(), h.ID(all[i])); err != nil {
					t.Fatal(err)
				}
			}
			responses := make([]*apptest.Response, len(all))
			var work sync.WaitGroup
			for i := range all {
				work.Go(func() { responses[i] = leave(nodes[i%len(nodes)], all[i], all[(i+1)%len(all)]) })
			}
			work.Wait()
			var left int
			if err := h.App.DB.Get(t.Context(), &left,
				`SELECT COUNT(*) FROM users WHERE role = 'admin' AND NOT disabled`); err != nil {
				t.Fatal(err)
			}
			if left == 0 {
				t.Errorf("%s: no admin is left", name)
			}
			for _, r := range responses {
				if r.Status == http.StatusConflict && !strings.Contains(r.Text("detail"), "last admin") {
					t.Errorf("%s: got %s, want it to say why", name, r.Body)
				}
			}
		}
	})
}

func TestDeleteMe_lastAdminStays(t *testing.T) {
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		me := apptest.Bearer(h.Session.Access)
		why := h.Send(http.MethodDelete, "/users/me", nil, me).WantProblem(http.StatusConflict, "CONFLICT").Text("detail")
		if !strings.Contains(why, "/admin/users/{userId}") || !strings.Contains(why, "delete its data instead") {
			t.Errorf("the only admin is told %q", why)
		}
		disabled := h.Register()
		change(h, h.ID(disabled), map[string]any{"role": "admin", "disabled": true}).Want(http.StatusOK)
		h.Send(http.MethodDelete, "/users/me", nil, me).WantProblem(http.StatusConflict, "CONFLICT")
		other := h.Register()
		change(h, h.ID(other), map[string]any{"role": "admin"}).Want(http.StatusOK)
		h.Send(http.MethodDelete, "/users/me", nil, me).Want(http.StatusNoContent)
		h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(other.Access)).WantProblem(http.StatusConflict, "CONFLICT")
	})
}
