package app

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"masthead/pkg/auth"
	"masthead/pkg/base62"
	"masthead/pkg/db"
	"masthead/pkg/fetch"
	"masthead/pkg/images"
	"masthead/pkg/server"
)

// secretLength is the length of a signing secret that the program makes: 256 bits as base62 digits.
const secretLength = 43

// Config is the whole configuration of the service. Each package has its part.
type Config struct {
	Storage
	Server server.Config `embed:""`
	Auth   auth.Config   `embed:""`
	Fetch  fetch.Config  `embed:""`
	Images images.Config `embed:""`
}

// Validate reports everything that is wrong, one sentence each.
func (c Config) Validate() error {
	return errors.Join(
		c.Server.Validate(), c.Database.Validate(), c.Auth.Validate(), c.Fetch.Validate(), c.Images.Validate())
}

// Listen opens the address that c names and puts the port that was really taken into c, for port 0: the public
// addresses are made of it. The listener is handed to [App.Run], which closes it.
func (c *Config) Listen(ctx context.Context) (net.Listener, error) {
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Server.Addr)
	if err != nil {
		return nil, fmt.Errorf("MASTHEAD_ADDR: cannot listen on %s: %w", c.Server.Addr, err)
	}
	host, _, err := net.SplitHostPort(c.Server.Addr)
	_, port, err2 := net.SplitHostPort(listener.Addr().String())
	if err := errors.Join(err, err2); err != nil {
		return nil, errors.Join(fmt.Errorf("MASTHEAD_ADDR: %w", err), listener.Close())
	}
	c.Server.Addr = net.JoinHostPort(host, port)
	return listener, nil
}

// signingSecret returns the secret that signs tokens: the one configured, else the one made at the first start and
// kept in the data folder. Nodes that share a database must share the secret too, so there it is never made.
func (c Config) signingSecret() (string, error) {
	const name = "jwt-secret"
	if c.Auth.Secret != "" {
		return c.Auth.Secret, nil
	}
	if c.Database.URL != "" {
		return "", errors.New("MASTHEAD_JWT_SECRET is missing: with MASTHEAD_DATABASE_URL all nodes must share one; " +
			"`openssl rand -base64 32` makes it")
	}
	kept, err := c.Kept(name)
	if err == nil {
		return strings.TrimSpace(string(kept)), nil
	}
	if !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the signing secret: %w", err)
	}
	secret := base62.Random(secretLength)
	if err := c.Keep(name, []byte(secret+"\n")); err != nil {
		return "", fmt.Errorf("keep the signing secret: %w", err)
	}
	return secret, nil
}

// Storage says where data is kept; every command needs it.
type Storage struct {
	DataDir  string    `name:"data-dir" env:"MASTHEAD_DATA_DIR" default:"./data" placeholder:"FOLDER" help:"The SQLite file, images and generated secrets."`
	Database db.Config `embed:""`
}

// database is the configuration of the database, which is in the data folder unless it has an address.
func (s Storage) database() db.Config {
	cfg := s.Database
	cfg.Dir = s.DataDir
	return cfg
}

// prepare makes the data folder where it is missing and makes sure that it can be written to.
func (s Storage) prepare() error {
	const probe = ".probe"
	if s.DataDir == "" {
		return errors.New("MASTHEAD_DATA_DIR must name a folder, such as ./data")
	}
	err := s.Keep(probe, nil)
	if err == nil {
		err = os.Remove(s.path(probe))
	}
	if err != nil {
		return fmt.Errorf("MASTHEAD_DATA_DIR: the folder %s cannot be used: %w", s.DataDir, err)
	}
	return nil
}

// Kept returns what [Storage.Keep] kept under name; the error is [fs.ErrNotExist] when there is none.
func (s Storage) Kept(name string) ([]byte, error) { return os.ReadFile(s.path(name)) }

// Keep writes a file of the data folder that only its owner reads, whole or not at all. The folder is made where it
// is missing.
func (s Storage) Keep(name string, data []byte) error {
	if err := os.MkdirAll(s.DataDir, 0o700); err != nil {
		return err
	}
	temporary := s.path(name + ".writing")
	f, err := os.OpenFile(temporary, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temporary, s.path(name))
}

// pictures is the folder of the pictures.
func (s Storage) pictures() string { return s.path("images") }

func (s Storage) path(name string) string { return filepath.Join(s.DataDir, name) }
