package main

import (
	"html"
	"io"
	"net"
	"net/http"
	"os"
	"regexp"
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/testenv"
)

// operator runs commands of the program beside a service that is running.
type operator struct {
	*apptest.Service
	t *testing.T
}

// does runs one command line and returns what it printed; it must end with the code.
func (o operator) does(code int, args ...string) string {
	o.t.Helper()
	e := masthead(o.t, o.t.TempDir(), "", []string{
		"MASTHEAD_DATA_DIR=" + o.Config.DataDir, "MASTHEAD_BASE_URL=" + o.Base,
	}, args...)
	e.want(o.t, code)
	return e.out + e.report
}

// says fails the test unless what a command printed has all the parts.
func (o operator) says(got string, parts ...string) {
	o.t.Helper()
	for _, part := range parts {
		if !strings.Contains(got, part) {
			o.t.Errorf("got %s, want it to say %q", got, part)
		}
	}
}

func TestAdmin_accountsAreListedDisabledAndDeletedBesideAService(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	h := apptest.Start(t)
	o := operator{h, t}
	o.says(o.does(exitDone, "admin", "list"), "no accounts yet", "masthead admin create")
	o.says(o.does(exitDone, "admin", "create", "root@example.com"),
		"Created the admin root@example.com", "shown only once")
	user := h.Register()
	o.says(o.does(exitDone, "admin", "list"), "EMAIL", user.Email, "root@example.com", "admin", "enabled")
	o.says(o.does(exitDone, "admin", "list", "nobody-has-this"), `No account has "nobody-has-this"`)

	login := map[string]any{"email": user.Email, "password": apptest.Password}
	h.Post("/auth/login", login).Want(http.StatusOK)
	o.says(o.does(exitDone, "admin", "disable", user.Email), "is disabled")
	h.Post("/auth/login", login).Want(http.StatusUnauthorized)
	o.says(o.does(exitDone, "admin", "list", user.Email), "disabled")
	o.says(o.does(exitFailed, "admin", "reset-password", user.Email), "no account")
	o.does(exitDone, "admin", "enable", user.Email)
	h.Post("/auth/login", login).Want(http.StatusOK)

	printed := o.does(exitDone, "admin", "reset-password", user.Email)
	m := regexp.MustCompile(`Password, shown only once: (\S+)`).FindStringSubmatch(printed)
	if m == nil {
		t.Fatalf("no password in %s", printed)
	}
	h.Post("/auth/login", login).Want(http.StatusUnauthorized)
	login["password"] = m[1]
	h.Post("/auth/login", login).Want(http.StatusOK)

	_, err := h.App.DB.Exec(t.Context(), `INSERT INTO totp (user_id, secret, active_at, created_at)
		SELECT id, 'KRUGKIDROVUWG2ZA', 1, 1 FROM users WHERE email = ?`, user.Email)
	if err != nil {
		t.Fatal(err)
	}
	h.Post("/auth/login", login).Want(http.StatusUnauthorized)
	o.says(o.does(exitDone, "admin", "remove-second-factor", user.Email), "the password alone signs in")
	h.Post("/auth/login", login).Want(http.StatusOK)

	o.says(o.does(exitUsage, "admin", "delete", user.Email), "--yes", "can't be undone")
	h.Post("/auth/login", login).Want(http.StatusOK)
	o.says(o.does(exitDone, "admin", "delete", user.Email, "--yes"), "Deleted "+user.Email)
	h.Post("/auth/login", login).Want(http.StatusUnauthorized)
	o.says(o.does(exitFailed, "admin", "delete", user.Email, "--yes"), "no account")
	for _, args := range [][]string{{"disable", "root@example.com"}, {"delete", "root@example.com", "--yes"}} {
		last := o.does(exitFailed, append([]string{"admin"}, args...)...)
		if o.says(last, "last admin", "`masthead admin create EMAIL`"); strings.Contains(last, "PATCH") {
			t.Errorf("got %s, want the command alone", last)
		}
	}
}

func TestKey_isListedAndRevokedByItsIDOrItsBeginning(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	h := apptest.StartSignedIn(t)
	o := operator{h, t}
	owner := []string{"--owner", h.Session.Email}
	list := func() string { return o.does(exitDone, append([]string{"key", "list"}, owner...)...) }
	first, second := h.NewKey(h.Session, h.Project), h.NewKey(h.Session, "")
	o.says(list(), first[:12]+"…", second[:12]+"…", "all", "never")
	o.says(o.does(exitFailed, append([]string{"key", "revoke", "og_live_none"}, owner...)...), "masthead key list")
	o.says(o.does(exitDone, append([]string{"key", "revoke", first}, owner...)...), "Revoked "+first[:12])
	h.Key = first
	h.Get("/images", apptest.Bearer(second)).Want(http.StatusOK)
	id := regexp.MustCompile(`(?m)^(\S+)\s+` + second[:12]).FindStringSubmatch(list())
	o.does(exitDone, append([]string{"key", "revoke", id[1]}, owner...)...)
	if got := list(); strings.Contains(got, first[:12]) || strings.Contains(got, second[:12]) {
		t.Errorf("revoked keys are still listed: %s", got)
	}
}

func TestProject_domainsAreAddedAndRemoved(t *testing.T) {
	testenv.ManyStarts(t)
	t.Parallel()
	h := apptest.StartSignedIn(t)
	o := operator{h, t}
	run := func(code int, args ...string) string {
		return o.does(code, append(append([]string{"project"}, args...), "--owner", h.Session.Email)...)
	}
	refused := run(exitFailed, "create", "Bad", "--domain", "ok.example", "--domain", "com", "--domain", "a/b")
	o.says(refused, `The domain "com": `, "1 more")
	if strings.Contains(refused, "domains[") {
		t.Errorf("got %s, want the domain by its name alone", refused)
	}
	made := run(exitDone, "create", "Docs", "--domain", "docs.example.com")
	o.says(made, "Project Docs: ", `<meta property="og:image" content="`+h.Base+`/og/`, "url=https%3A%2F%2Fdocs.example.com%2F")
	publicID := regexp.MustCompile(`Public id: (\S+)`).FindStringSubmatch(made)[1]
	o.says(run(exitDone, "domains", publicID), "Domains of Docs: docs.example.com\n")
	o.says(run(exitDone, "domains", "Docs", "--add", "EXAMPLE.org", "--remove", "docs.example.com"),
		"Domains of Docs: example.org\n")
	o.says(run(exitFailed, "domains", "Docs", "--remove", "other.example"), "doesn't have the domain other.example")
	o.says(run(exitFailed, "domains", "Nothing"), `no project "Nothing"`, "masthead project list")
	o.says(run(exitDone, "list"), "Docs", "example.org", publicID)

	// A second project of the name: the printed command names it and no other, and its name alone none.
	hint := regexp.MustCompile(`masthead project domains (\S+) --add example\.com\n`)
	second := hint.FindStringSubmatch(run(exitDone, "create", "Docs"))
	if second == nil || second[1] == publicID {
		t.Fatalf("got the command for %v, want one for the second project", second)
	}
	o.says(run(exitFailed, "domains", "Docs", "--add", "example.net"), `2 projects named "Docs"`, publicID, second[1])
	o.says(run(exitDone, "domains", second[1], "--add", "example.com"), "Domains of Docs: example.com\n")
	o.says(run(exitDone, "domains", publicID), "Domains of Docs: example.org\n")
}

// readmeCommand finds the README's commands that create an account and a key and set the domains.
var readmeCommand = regexp.MustCompile(`(?m)^go run \./cmd/masthead ((?:admin|key|project) [^#\n]*)`)

// The README's commands work as written, in their order, and so does the tag that they print. Tests have no network, so
// the page can't be read and the tag serves a card of its address.
func TestReadme_metaTagWorksAsWritten(t *testing.T) {
	t.Parallel()
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	h := apptest.Start(t)
	o := operator{h, t}
	var tag string
	var names []string
	for _, m := range readmeCommand.FindAllStringSubmatch(string(readme), -1) {
		args := words(m[1])
		names = append(names, strings.Join(args[:2], " "))
		printed := o.does(exitDone, args...)
		if found := regexp.MustCompile(`content="([^"]+)"`).FindStringSubmatch(printed); found != nil {
			tag = html.UnescapeString(found[1])
		}
	}
	if got, want := strings.Join(names, ", "), "admin create, admin plan, key create, project domains"; got != want {
		t.Errorf("the README has %s, want %s", got, want)
	}
	picture := h.Get(strings.TrimPrefix(tag, h.Base)).Want(http.StatusOK)
	if got := picture.Header.Get("Content-Type"); got != "image/png" {
		t.Errorf("%s: got %s", tag, got)
	}
}

// words splits a command line at spaces outside double quotes.
func words(line string) (args []string) {
	for i, part := range strings.Split(line, `"`) {
		if i%2 == 1 {
			args = append(args, part)
		} else {
			args = append(args, strings.Fields(part)...)
		}
	}
	return args
}

// With SSL demanded, which is lib/pq's default, and a server without it, the error says how to connect.
func TestServe_databaseWithoutSSLNamesTheSetting(t *testing.T) {
	t.Parallel()
	address := silentPostgres(t)
	masthead(t, t.TempDir(), "", []string{"MASTHEAD_DATABASE_URL=postgres://masthead@" + address + "/masthead"},
		"admin", "list").want(t, exitFailed, "MASTHEAD_DATABASE_URL", "sslmode=disable")
}

// silentPostgres listens like a Postgres without SSL: it answers the request for it with N. Source: PostgreSQL
// documentation, "Message Flow", SSL Session Encryption.
func silentPostgres(t *testing.T) (address string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			var request [8]byte
			if _, err := io.ReadFull(conn, request[:]); err == nil {
				_, _ = conn.Write([]byte{'N'})
			}
			_ = conn.Close()
		}
	}()
	return listener.Addr().String()
}
