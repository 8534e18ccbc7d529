package projects_test

import (
	"fmt"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/cursor"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/events"
	"masthead/pkg/identity"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// account makes an account and returns its owner as a caller.
func account(t *testing.T, d *db.DB, email string) identity.Caller {
	t.Helper()
	u, err := users.New(d, auditlog.New(d), nil).Create(t.Context(), users.NewUser{Email: email})
	if err != nil {
		t.Fatal(err)
	}
	return u.Caller()
}

func create(t *testing.T, s *projects.Service, owner identity.Caller, name string) projects.Project {
	t.Helper()
	p, err := s.Create(t.Context(), owner,
		projects.NewProject{Name: name, Domains: []string{"example.com"}, PublicAI: true})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestCreate_projectIsReadBackAndUpdated(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, s, ada := t.Context(), projects.New(d, auditlog.New(d), nil), account(t, d, "ada@example.com")
		at := time.Date(2026, 3, 12, 10, 0, 0, 123456789, time.FixedZone("", 3600))
		s.SetNow(func() time.Time { return at })
		p, err := s.Create(ctx, ada,
			projects.NewProject{Name: " My blog ", Domains: []string{"Example.COM", "::1"}, PublicAI: true})
		if err != nil {
			t.Fatal(err)
		}
		utc := at.UTC().Truncate(time.Millisecond)
		want := projects.Project{
			ID: p.ID, PublicID: p.PublicID, OwnerID: ada.UserID, Name: "My blog",
			Domains: []string{"example.com", "::1"}, PublicAI: true,
			CreatedAt: utc, UpdatedAt: utc,
		}
		if !reflect.DeepEqual(p, want) {
			t.Errorf("made %+v, want %+v", p, want)
		}
		if !regexp.MustCompile(`^[0-9A-Za-z]{12}$`).MatchString(p.PublicID) {
			t.Errorf("public id: got %q", p.PublicID)
		}
		if id, err := uuid.Parse(p.ID); err != nil || id.Version() != 7 {
			t.Errorf("id: got %q, want a UUID of version 7", p.ID)
		}
		if got, err := s.Get(ctx, ada, p.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("get: got %+v, %v, want %+v", got, err, want)
		}

		at = at.Add(time.Hour)
		want.UpdatedAt = at.UTC().Truncate(time.Millisecond)
		for name, c := range map[string]struct {
			change projects.Update
			apply  func(*projects.Project)
		}{
			"name": {projects.Update{Name: new("Blog")}, func(p *projects.Project) { p.Name = "Blog" }},
			"domains": {projects.Update{Domains: &[]string{"B.example"}},
				func(p *projects.Project) { p.Domains = []string{"b.example"} }},
			"no domains": {projects.Update{Domains: &[]string{}},
				func(p *projects.Project) { p.Domains = []string{} }},
			"no AI":          {projects.Update{PublicAI: new(false)}, func(p *projects.Project) { p.PublicAI = false }},
			"nothing at all": {projects.Update{}, func(*projects.Project) {}},
		} {
			c.apply(&want)
			if got, err := s.Update(ctx, ada, p.ID, c.change); err != nil || !reflect.DeepEqual(got, want) {
				t.Errorf("%s: got %+v, %v, want %+v", name, got, err, want)
			}
		}
		if got, err := s.Get(ctx, ada, p.ID); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("in the end: got %+v, %v, want %+v", got, err, want)
		}
	})
}

func TestCreate_badInputIsRefused(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, s, ada := t.Context(), projects.New(d, auditlog.New(d), nil), account(t, d, "ada@example.com")
		p := create(t, s, ada, "Blog")
		for _, name := range []string{"", "  ", strings.Repeat("é", 101), "a\x00b", "a\nb", "\xff"} {
			if _, err := s.Create(ctx, ada, projects.NewProject{Name: name}); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("create %q: got %v, want it refused", name, err)
			}
			if _, err := s.Update(ctx, ada, p.ID,
				projects.Update{Name: &name}); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("update %q: got %v, want it refused", name, err)
			}
			if _, err := s.ByName(ctx, ada, name); apperr.CodeOf(err) != apperr.BadRequest {
				t.Errorf("by name %q: got %v, want it refused", name, err)
			}
		}
		if _, err := s.Create(ctx, ada, projects.NewProject{Name: strings.Repeat("é", 100)}); err != nil {
			t.Errorf("a name of 100 characters: got %v", err)
		}
		if _, err := s.Create(ctx, ada,
			projects.NewProject{Name: "a", Domains: []string{"com"}}); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("a bad domain: got %v, want it refused", err)
		}
		if _, err := s.Update(ctx, ada, p.ID,
			projects.Update{Domains: &[]string{"com"}}); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("update to a bad domain: got %v, want it refused", err)
		}
		if _, err := s.Create(ctx, identity.Caller{UserID: uuid.NewString()},
			projects.NewProject{Name: "a"}); apperr.CodeOf(err) != apperr.Unauthorized {
			t.Errorf("of a deleted account: got %v, want unauthorized", err)
		}
	})
}

func TestGet_foreignProjectIs404(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, s := t.Context(), projects.New(d, auditlog.New(d), nil)
		ada, bob := account(t, d, "ada@example.com"), account(t, d, "bob@example.com")
		p := create(t, s, ada, "Blog")
		for who, c := range map[string]struct {
			caller identity.Caller
			id     string
		}{"another": {bob, p.ID}, "no project": {ada, uuid.NewString()}} {
			_, get := s.Get(ctx, c.caller, c.id)
			_, update := s.Update(ctx, c.caller, c.id, projects.Update{Name: new("Mine")})
			for what, err := range map[string]error{"get": get, "update": update,
				"delete": s.Delete(ctx, c.caller, c.id)} {
				if apperr.CodeOf(err) != apperr.NotFound {
					t.Errorf("%s, %s: got %v, want not found", who, what, err)
				}
			}
		}
		if _, err := s.ByName(ctx, bob, "Blog"); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("by name: got %v, want not found", err)
		}
		if err := s.Delete(ctx, ada, p.ID); err != nil {
			t.Error(err)
		}
		if _, err := s.Get(ctx, ada, p.ID); apperr.CodeOf(err) != apperr.NotFound {
			t.Errorf("after deletion: got %v, want not found", err)
		}
	})
}

func TestByName_findsTheOldest(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		s, ada := projects.New(d, auditlog.New(d), nil), account(t, d, "ada@example.com")
		first := create(t, s, ada, "Blog")
		create(t, s, ada, "Blog")
		if got, err := s.ByName(t.Context(), ada, " Blog"); err != nil || got.ID != first.ID {
			t.Errorf("got %s, %v, want %s", got.ID, err, first.ID)
		}
	})
}

func TestList_pagesHoldTheCallersProjectsNewestFirst(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		ctx, s, ada := t.Context(), projects.New(d, auditlog.New(d), nil), account(t, d, "ada@example.com")
		create(t, s, account(t, d, "bob@example.com"), "Not hers")
		var newestFirst, got []string
		for range 25 {
			newestFirst = append([]string{create(t, s, ada, "P").ID}, newestFirst...)
		}
		for page := (cursor.Page{Limit: 10}); ; {
			found, next, err := s.List(ctx, ada, page)
			if err != nil {
				t.Fatal(err)
			}
			for _, p := range found {
				got = append(got, p.ID)
			}
			if next == "" {
				break
			}
			page.After = next
		}
		if !reflect.DeepEqual(got, newestFirst) {
			t.Errorf("got %v, want %v", got, newestFirst)
		}
		if _, _, err := s.List(ctx, ada, cursor.Page{After: newestFirst[0]}); apperr.CodeOf(err) != apperr.BadRequest {
			t.Errorf("an id as a cursor: got %v, want it refused", err)
		}
		if found, next, err := s.List(ctx, account(t, d, "eve@example.com"), cursor.Page{}); err != nil ||
			len(found) != 0 || next != "" {
			t.Errorf("of a new account: got %v, %q, %v, want nothing", found, next, err)
		}
	})
}

func TestCreate_publicIDsUseTheWholeAlphabetEvenly(t *testing.T) {
	var ada identity.Caller
	d := dbtest.SQLite(t)
	s, seen := projects.New(d, auditlog.New(d), nil), map[rune]int{}
	const n = 3 * projects.MaxProjects
	for i := range n {
		if i%projects.MaxProjects == 0 {
			ada = account(t, d, fmt.Sprintf("ada%d@example.com", i))
		}
		for _, r := range create(t, s, ada, "P").PublicID {
			seen[r]++
		}
	}
	// 58 of each are expected; a letter off by 7 standard deviations is not chance.
	for r, count := range seen {
		if count < 5 || count > 111 {
			t.Errorf("%c came %d times of %d", r, count, n*12)
		}
	}
	if len(seen) != 62 {
		t.Errorf("got %d different characters, want 62", len(seen))
	}
}

func TestAPI_operationsAnswer(t *testing.T) {
	d := dbtest.SQLite(t)
	s, ada := projects.New(d, auditlog.New(d), nil), account(t, d, "ada@example.com")
	api := projects.NewAPI(s)
	ctx := identity.WithCaller(t.Context(), ada)

	made, err := api.CreateProject(ctx, gen.CreateProjectRequestObject{Body: &gen.ProjectCreate{Name: "Blog"}})
	created, ok := made.(gen.CreateProject201JSONResponse)
	p := created.Body
	if err != nil || !ok || !p.PublicAi || p.Domains == nil || len(p.Domains) != 0 || p.OwnerId.String() != ada.UserID {
		t.Fatalf("create: got %+v, %v", made, err)
	}
	quiet, err := api.CreateProject(ctx, gen.CreateProjectRequestObject{Body: &gen.ProjectCreate{
		Name: "Quiet", PublicAi: new(false), Domains: &[]string{"example.com"},
	}})
	if q, ok := quiet.(gen.CreateProject201JSONResponse); err != nil || !ok || q.Body.PublicAi ||
		len(q.Body.Domains) != 1 {
		t.Errorf("create with all fields: got %+v, %v", quiet, err)
	}
	changed, err := api.UpdateProject(ctx,
		gen.UpdateProjectRequestObject{ProjectId: p.Id, Body: &gen.ProjectUpdate{Name: new("Log")}})
	if c, ok := changed.(gen.UpdateProject200JSONResponse); err != nil || !ok || c.Name != "Log" || !c.PublicAi {
		t.Errorf("update: got %+v, %v", changed, err)
	}
	got, err := api.GetProject(ctx, gen.GetProjectRequestObject{ProjectId: p.Id})
	if g, ok := got.(gen.GetProject200JSONResponse); err != nil || !ok || g.Name != "Log" || g.Id != p.Id {
		t.Errorf("get: got %+v, %v", got, err)
	}
	list, err := api.ListProjects(ctx, gen.ListProjectsRequestObject{Params: gen.ListProjectsParams{Limit: new(1)}})
	l, ok := list.(gen.ListProjects200JSONResponse)
	if err != nil || !ok || len(l.Items) != 1 || l.Items[0].Name != "Quiet" || l.NextCursor == nil {
		t.Fatalf("list: got %+v, %v", list, err)
	}
	list, err = api.ListProjects(ctx,
		gen.ListProjectsRequestObject{Params: gen.ListProjectsParams{Cursor: l.NextCursor}})
	if l, ok := list.(gen.ListProjects200JSONResponse); err != nil || !ok || len(l.Items) != 1 ||
		l.Items[0].Name != "Log" || l.NextCursor != nil {
		t.Errorf("the last page: got %+v, %v", list, err)
	}
	if got, err := api.DeleteProject(ctx, gen.DeleteProjectRequestObject{ProjectId: p.Id}); err != nil ||
		got != (gen.DeleteProject204Response{}) {
		t.Errorf("delete: got %+v, %v", got, err)
	}
	if _, err := api.GetProject(ctx,
		gen.GetProjectRequestObject{ProjectId: p.Id}); apperr.CodeOf(err) != apperr.NotFound {
		t.Errorf("after deletion: got %v, want not found", err)
	}
}

// TestRefresh_changeOfAnotherProcessIsToldInTheBackground changes a project by another service on the same database.
func TestRefresh_changeOfAnotherProcessIsToldInTheBackground(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		bus := events.NewBus()
		here, there := projects.New(d, auditlog.New(d), bus), projects.New(d, auditlog.New(d), nil)
		ada := account(t, d, "ada@example.com")
		p := create(t, here, ada, "Blog")
		told := make(chan string, 10)
		events.ProjectStale.Notify(bus, func(_ events.Event, p events.Project) { told <- p.PublicId })
		now := time.Now()
		here.SetNow(func() time.Time { return now })
		here.Refresh(p.PublicID)
		if got := <-told; got != p.PublicID {
			t.Errorf("a project that is not remembered: told of %q, want %q", got, p.PublicID)
		}
		if _, err := here.Public(t.Context(), p.PublicID); err != nil {
			t.Fatal(err)
		}
		name := "News"
		there.SetNow(func() time.Time { return now.Add(time.Minute) })
		if _, err := there.Update(t.Context(), ada, p.ID, projects.Update{Name: &name}); err != nil {
			t.Fatal(err)
		}
		here.Refresh(p.PublicID) // it was read just now
		now = now.Add(2 * time.Second)
		select {
		case got := <-told:
			t.Errorf("after no time: told of %q, want nothing", got)
		default:
		}
		here.Refresh(p.PublicID)
		if got := <-told; got != p.PublicID {
			t.Errorf("got %q, want %q", got, p.PublicID)
		}
		if read, err := here.Public(t.Context(), p.PublicID); err != nil || read.Name != name {
			t.Errorf("got %q, %v, want %q", read.Name, err, name)
		}
	})
}
