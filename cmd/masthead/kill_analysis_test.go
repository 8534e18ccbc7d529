//go:build unix

package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/apptest"
	"masthead/pkg/app/demo"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
)

// TestServe_killedProcessLeavesNoAnalysisUndone kills a node while the model writes: another takes the analysis up, and
// the ledger counts it once.
func TestServe_killedProcessLeavesNoAnalysisUndone(t *testing.T) {
	dbtest.RunConfig(t, func(t *testing.T, cfg db.Config) {
		dir, site := t.TempDir(), newChangingSite(t)
		provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{Fault: fakeai.Slow})
		if err != nil {
			t.Fatal(err)
		}
		defer provider.Close()
		settings := []string{"MASTHEAD_AI_BASE_URL=" + provider.BaseURL, "MASTHEAD_AI_TEXT_MODEL=" + fakeai.ModelText}
		if cfg.URL != "" {
			settings = append(settings, "MASTHEAD_DATABASE_URL="+cfg.URL, "MASTHEAD_JWT_SECRET="+base62.Random(43))
		} else {
			cfg.Dir = dir
		}
		p := open(t, dir, site, settings...)
		id, session := p.analyse(dir, site)
		apptest.WaitFor(t, "the model to be asked", func() bool { return len(provider.Chats()) == 1 })
		p.signal(syscall.SIGKILL)
		p.wait()
		provider.Fail(fakeai.None, -1)
		d, err := db.Open(t.Context(), cfg)
		if err != nil {
			t.Fatal(err)
		}
		defer d.Close()
		// What the killed node was at is due when its lease ends: here at once.
		if n, err := d.Exec(t.Context(), `UPDATE jobs SET due_at = 0 WHERE kind <> 'domains'`); err != nil || n != 1 {
			t.Fatalf("%d jobs, %v, want the one that was cut off", n, err)
		}
		p = open(t, dir, site, settings...)
		apptest.WaitFor(t, "the analysis", func() bool { return p.statusOf(id, session) == "READY" })
		var units, left int
		if err := d.Get(t.Context(), &units, `SELECT SUM(units) FROM usage_analyses`); err != nil || units != 1 {
			t.Errorf("the ledger counts %d, %v, want 1", units, err)
		}
		if err := d.Get(t.Context(), &left, `SELECT COUNT(*) FROM jobs WHERE kind <> 'domains'`); err != nil || left != 0 {
			t.Errorf("%d jobs are left, %v", left, err)
		}
	})
}

// send sends a request with JSON and returns the members of the answer.
func (p *process) send(method, path, session string, body string) (got map[string]any) {
	p.t.Helper()
	r, err := http.NewRequestWithContext(p.t.Context(), method, p.base+path, strings.NewReader(body))
	if err != nil {
		p.t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if session != "" {
		r.Header.Set("Authorization", "Bearer "+session)
	}
	resp, err := p.client.Do(r)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(resp.Body)
	if err == nil {
		err = json.Unmarshal(data, &got)
	}
	if err != nil || resp.StatusCode/100 != 2 {
		p.t.Fatalf("%s %s: %d %s, %v", method, path, resp.StatusCode, data, err)
	}
	return got
}

// signIn signs in as the user of the demo, whose data folder is dir.
func (p *process) signIn(dir string) (session string) {
	p.t.Helper()
	kept, err := os.ReadFile(filepath.Join(dir, demo.FileName))
	if err != nil {
		p.t.Fatal(err)
	}
	var account demo.Account
	if err := json.Unmarshal(kept, &account); err != nil {
		p.t.Fatal(err)
	}
	login, err := json.Marshal(map[string]string{"email": account.Email, "password": account.Password})
	if err != nil {
		p.t.Fatal(err)
	}
	return p.send("POST", "/auth/login", "", string(login))["accessToken"].(string)
}

// analyse has a page audited with its analysis, by the user of the demo.
func (p *process) analyse(dir string, site *changingSite) (id, session string) {
	p.t.Helper()
	session = p.signIn(dir)
	made := p.send("POST", "/audits", session, `{"url": "`+site.URL+`/page/one", "includeAi": true}`)
	return made["id"].(string), session
}

func (p *process) statusOf(id, session string) string {
	ai, _ := p.send("GET", "/audits/"+id, session, "")["ai"].(map[string]any)
	status, _ := ai["status"].(string)
	return status
}
