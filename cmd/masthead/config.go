package main

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/server"
)

// storage says where data is kept; every command needs it.
type storage struct {
	DataDir  string    `name:"data-dir" env:"MASTHEAD_DATA_DIR" default:"./data" placeholder:"FOLDER" help:"The SQLite file, images and generated secrets."`
	Database db.Config `embed:""`
}

// settings is the whole configuration of the service. Each package has its part.
type settings struct {
	storage
	Server server.Config `embed:""`
	Auth   auth.Config   `embed:""`
	Fetch  fetch.Config  `embed:""`
	Images images.Config `embed:""`
	Log    logConfig     `embed:""`
}

// validate reports everything that is wrong, one sentence each.
func (s settings) validate() error {
	return errors.Join(s.Server.Validate(), s.Database.Validate(), s.Auth.Validate(), s.Fetch.Validate(), s.Images.Validate(), s.Log.validate())
}

// open opens the database.
func (s storage) database() db.Config {
	cfg := s.Database
	cfg.Dir = s.DataDir
	return cfg
}

// prepare makes the data folder where it is missing and makes sure that it can be written to.
func (s storage) prepare() error {
	if s.DataDir == "" {
		return errors.New("MASTHEAD_DATA_DIR must name a folder, such as ./data")
	}
	err := os.MkdirAll(s.DataDir, 0o700)
	if err == nil {
		err = writePrivate(filepath.Join(s.DataDir, ".probe"), nil)
	}
	if err == nil {
		err = os.Remove(filepath.Join(s.DataDir, ".probe"))
	}
	if err != nil {
		return fmt.Errorf("MASTHEAD_DATA_DIR: the folder %s cannot be used: %w", s.DataDir, err)
	}
	return nil
}

// signingSecret returns the secret that signs tokens: the one configured, else the one made at the first start and kept in the data
// folder. Nodes that share a database must share the secret too, so there it is never made.
func (s settings) signingSecret() (string, error) {
	if s.Auth.Secret != "" {
		return s.Auth.Secret, nil
	}
	if s.Database.URL != "" {
		return "", errors.New("MASTHEAD_JWT_SECRET is missing: with MASTHEAD_DATABASE_URL all nodes must share one; `openssl rand -base64 32` makes it")
	}
	path := filepath.Join(s.DataDir, "jwt-secret")
	kept, err := os.ReadFile(path)
	if err == nil {
		return strings.TrimSpace(string(kept)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the signing secret: %w", err)
	}
	secret := randomText(32)
	if err := writePrivate(path, []byte(secret+"\n")); err != nil {
		return "", fmt.Errorf("keep the signing secret: %w", err)
	}
	return secret, nil
}

// writePrivate writes a file that only its owner reads, whole or not at all.
func writePrivate(path string, data []byte) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return err
	}
	temporary := path + ".writing"
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, path)
}

// randomText returns n random bytes as URL-safe text.
func randomText(n int) string {
	raw := make([]byte, n)
	_, _ = rand.Read(raw) // never fails: it ends the process where the system has no randomness
	return base64.RawURLEncoding.EncodeToString(raw)
}
