// Package demo makes what `serve --demo` shows: a user, a project and a key, and sample pages on a loopback address
// of their own, so that a first image can be drawn offline.
package demo

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"masthead/pkg/apikeys"
	"masthead/pkg/app"
	"masthead/pkg/apperr"
	"masthead/pkg/base62"
	"masthead/pkg/billing"
	"masthead/pkg/projects"
	"masthead/pkg/users"
)

// FileName is the file of the data folder that keeps the [Account], so that a second start prints the same.
const FileName = "demo.json"

// ProjectID is the demo's project: the one of the examples in openapi.yaml, so that they work in /swagger as they
// stand. PublicID is its public id there.
const (
	ProjectID = "0199e0a6-5f5e-7cc1-9a51-3f0d8f2b7c11"
	PublicID  = "DemoProject1"
)

// Account is what the demo made for its user. The secrets are in plain text: a demo listens on loopback alone.
type Account struct {
	Email     string `json:"email"`
	Password  string `json:"password"`
	ProjectID string `json:"projectId"`
	Key       string `json:"key"`
}

// Seed returns the account that is kept in storage, making what is missing of user, project and key.
func Seed(ctx context.Context, accounts *app.Accounts, storage app.Storage) (Account, error) {
	var a Account
	kept, err := storage.Kept(FileName)
	switch {
	case err == nil:
		if err := json.Unmarshal(kept, &a); err != nil {
			return a, fmt.Errorf("read %s of the data folder: %w; delete it to start the demo again", FileName, err)
		}
	case !errors.Is(err, fs.ErrNotExist):
		return a, fmt.Errorf("read the demo: %w", err)
	}
	if caller, err := accounts.Keys.Authenticate(ctx, a.Key); err == nil {
		if _, err := accounts.Projects.Get(ctx, caller, a.ProjectID); err == nil {
			return a, nil
		}
	}
	if err := a.make(ctx, accounts); err != nil {
		return a, fmt.Errorf("make the demo: %w", err)
	}
	text, err := json.MarshalIndent(a, "", "  ")
	if err == nil {
		err = storage.Keep(FileName, append(text, '\n'))
	}
	if err != nil {
		return a, fmt.Errorf("keep the demo: %w", err)
	}
	return a, nil
}

func (a *Account) make(ctx context.Context, accounts *app.Accounts) error {
	if a.Email == "" {
		a.Email, a.Password = "demo@masthead.example", base62.Random(16)
	}
	owner, err := accounts.Users.ByEmail(ctx, a.Email)
	if apperr.CodeOf(err) == apperr.NotFound {
		owner, err = accounts.Auth.CreateAccount(ctx, a.Email, a.Password, "Demo", users.Seeded)
	}
	if err != nil {
		return err
	}
	// All plans' models can be tried.
	if _, err := accounts.Users.SetPlan(ctx, owner.ID, billing.Pro); err != nil {
		return err
	}
	caller := owner.Caller()
	project, err := accounts.Projects.Get(ctx, caller, ProjectID)
	if apperr.CodeOf(err) == apperr.NotFound {
		project, err = accounts.Projects.Create(ctx, caller, projects.NewProject{
			ID: ProjectID, PublicID: PublicID, Name: "Demo", Domains: []string{"127.0.0.1"}, PublicAI: true,
		})
	}
	if err != nil {
		return err
	}
	a.ProjectID = project.ID
	_, a.Key, err = accounts.Keys.Create(ctx, caller, apikeys.NewKey{Name: "Demo", ProjectID: project.ID})
	return err
}
