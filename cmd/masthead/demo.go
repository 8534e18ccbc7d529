package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"masthead/pkg/apikeys"
	"masthead/pkg/apperr"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// demo is what --demo made, kept in demo.json so that a second start prints the same.
type demo struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	ProjectID string `json:"projectId"`
	Key       string `json:"key"`

	site *sampleSite
}

// seedDemo returns the demo of the data folder, making what is missing of user, project and key.
func seedDemo(ctx context.Context, a *accounts, dir string, site *sampleSite) (*demo, error) {
	d := &demo{site: site}
	path := filepath.Join(dir, "demo.json")
	kept, err := os.ReadFile(path)
	switch {
	case err == nil:
		if err := json.Unmarshal(kept, d); err != nil {
			return nil, fmt.Errorf("read %s: %w; remove it to start the demo anew", path, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("read the demo: %w", err)
	}
	if caller, err := a.keys.Authenticate(ctx, d.Key); err == nil {
		if _, err := a.projects.Get(ctx, caller, d.ProjectID); err == nil {
			return d, nil
		}
	}
	if err := d.make(ctx, a); err != nil {
		return nil, fmt.Errorf("make the demo: %w", err)
	}
	text, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("keep the demo: %w", err)
	}
	if err := writePrivate(path, append(text, '\n')); err != nil {
		return nil, fmt.Errorf("keep the demo: %w", err)
	}
	return d, nil
}

func (d *demo) make(ctx context.Context, a *accounts) error {
	if d.Email == "" {
		d.Email, d.Password = "demo@masthead.example", randomText(12)
	}
	owner, err := a.users.ByEmail(ctx, d.Email)
	if apperr.CodeOf(err) == apperr.NotFound {
		owner, err = a.auth.CreateAccount(ctx, d.Email, d.Password, "Demo", users.Seeded)
	}
	if err != nil {
		return err
	}
	caller := owner.Caller()
	project, err := a.projects.Create(ctx, caller, projects.NewProject{Name: "Demo", Domains: []string{"127.0.0.1"}, PublicAI: true})
	if err != nil {
		return err
	}
	d.ProjectID = project.ID
	_, d.Key, err = a.keys.Create(ctx, caller, apikeys.NewKey{Name: "Demo", ProjectID: project.ID})
	return err
}

// describe prints the curl that draws the first image and the other pages to try.
func (d *demo) describe(w io.Writer, base string) {
	fmt.Fprintf(w, "Demo: draw the first image.\n\n")
	fmt.Fprintf(w, "  curl -s %s/images/generate \\\n    -H 'Authorization: Bearer %s' -H 'Content-Type: application/json' \\\n    -d '{\"url\": \"%s\", \"projectId\": \"%s\"}'\n\n",
		base, d.Key, d.site.url("/article"), d.ProjectID)
	fmt.Fprintf(w, "Open the imageUrl of the answer in a browser. Other pages to try:\n\n")
	for _, page := range samplePages[1:] {
		fmt.Fprintf(w, "  %s  (%s)\n", d.site.url(page.path), page.what)
	}
	fmt.Fprintf(w, "\nThe same key works in %s/swagger (Authorize, apiKeyAuth). To sign in: %s, password %s\n\n", base, d.Email, d.Password)
}
