package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"masthead/cmd/masthead/targets"
	"masthead/cmd/masthead/usage"
	"masthead/pkg/app"
	"masthead/pkg/backup"
	"masthead/pkg/humanize"
)

// passphraseVariable holds the passphrase of backups. It has no flag: other users see the arguments of a process.
const passphraseVariable = "MASTHEAD_BACKUP_PASSPHRASE"

// minPassphrase is the minimum length of the passphrase of a new backup, in bytes.
const minPassphrase = 12

// passphraseSource is where a passphrase comes from.
type passphraseSource struct {
	PassphraseFile string `placeholder:"FILE" help:"File with the passphrase, or - for standard input. If omitted, MASTHEAD_BACKUP_PASSPHRASE, the file named by MASTHEAD_BACKUP_PASSPHRASE_FILE, or a prompt."`
}

// given returns the passphrase from a file or variable, or "" if there is none.
func (p passphraseSource) given(in io.Reader) (string, error) {
	name := p.PassphraseFile
	if name == "" {
		if value := os.Getenv(passphraseVariable); value != "" {
			return value, nil
		}
		if name = os.Getenv(passphraseVariable + fileSuffix); name == "" {
			return "", nil
		}
	}
	var text []byte
	var err error
	if name == "-" {
		text, err = io.ReadAll(io.LimitReader(in, 64<<10))
	} else {
		text, err = os.ReadFile(name) //nolint:gosec // the operator names it
	}
	if err != nil {
		return "", usage.Errorf("read the passphrase: %w", err)
	}
	if text = bytes.TrimRight(text, "\r\n"); len(text) == 0 {
		return "", usage.Errorf("the passphrase in %s is empty", name)
	}
	return string(text), nil
}

// ask asks for a passphrase on a terminal, without showing it.
func ask(question string) (string, error) {
	if !term.IsTerminal(int(os.Stdin.Fd())) {
		return "", usage.Errorf("there is no passphrase: set --passphrase-file or %s", passphraseVariable)
	}
	fmt.Fprint(os.Stderr, question)
	text, err := term.ReadPassword(int(os.Stdin.Fd()))
	fmt.Fprintln(os.Stderr)
	if err != nil {
		return "", fmt.Errorf("read the passphrase: %w", err)
	}
	return string(text), nil
}

// backupCommand writes a backup.
type backupCommand struct {
	app.Storage
	passphraseSource
	File    string `arg:"" help:"File to write. It must not exist."`
	Encrypt bool   `help:"Encrypt the backup with a passphrase. The file is in age's format."`
}

// Run writes the backup. The service may be running.
func (c *backupCommand) Run(ctx context.Context) error {
	return c.run(ctx, os.Stdin, os.Stdout, os.Stderr)
}

func (c *backupCommand) run(ctx context.Context, in io.Reader, out, report io.Writer) error {
	passphrase := ""
	if c.Encrypt {
		var err error
		if passphrase, err = c.newPassphrase(in); err != nil {
			return err
		}
	} else if c.PassphraseFile != "" {
		return usage.Errorf("--passphrase-file needs --encrypt")
	}
	shown := targets.NewProgress(report)
	s, err := c.Backup(ctx, c.File, passphrase, version,
		func(p backup.Progress) { shown.Say(describeProgress("Backed up", p)) })
	shown.Say("")
	if err != nil {
		return err
	}
	secrecy := "It isn't encrypted and has secrets: keep it where only you can read it."
	if c.Encrypt {
		secrecy = "It is encrypted: without its passphrase, nobody can restore it."
	}
	_, err = fmt.Fprintf(out, "Backed up the database and %s to %s (%s). %s\n%s", humanize.Count(int(s.Files), "file"),
		c.File, humanize.Bytes(s.Size), secrecy,
		describeLost(s.Lost, "were missing: the service draws those of images again"))
	return err
}

func (c *backupCommand) newPassphrase(in io.Reader) (string, error) {
	passphrase, err := c.given(in)
	if err == nil && passphrase == "" {
		passphrase, err = ask("Passphrase: ")
		if err == nil {
			again, err := ask("The same again: ")
			if err != nil {
				return "", err
			}
			if again != passphrase {
				return "", usage.Errorf("the two passphrases differ")
			}
		}
	}
	if err == nil && len(passphrase) < minPassphrase {
		err = usage.Errorf("the passphrase must have at least %d characters", minPassphrase)
	}
	return passphrase, err
}

// restoreCommand restores a backup.
type restoreCommand struct {
	app.Storage
	passphraseSource
	File    string `arg:"" help:"The backup."`
	Replace bool   `help:"Replace the data that is there."`
}

// Run restores the backup. The service must be stopped.
func (c *restoreCommand) Run(ctx context.Context) error {
	return c.run(ctx, os.Stdin, os.Stdout, os.Stderr)
}

func (c *restoreCommand) run(ctx context.Context, in io.Reader, out, report io.Writer) error {
	passphrase, err := c.given(in)
	if err != nil {
		return err
	}
	shown := targets.NewProgress(report)
	restore := func() (backup.Summary, error) {
		s, err := c.Restore(ctx, c.File, passphrase, c.Replace,
			func(p backup.Progress) { shown.Say(describeProgress("Restored", p)) })
		shown.Say("")
		return s, err
	}
	s, err := restore()
	if errors.Is(err, backup.ErrEncrypted) && passphrase == "" {
		if passphrase, err = ask("Passphrase: "); err == nil {
			s, err = restore()
		}
	}
	switch {
	case errors.Is(err, backup.ErrNotEmpty):
		return fmt.Errorf("%w in %s. Nothing was changed. --replace replaces it", err, c.where())
	case errors.As(err, new(usage.Error)):
		return err
	case err != nil:
		return fmt.Errorf("%w. The data in %s is as it was", err, c.where())
	}
	_, err = fmt.Fprintf(out, "Restored the database and %s, as of %s.\n%s%s", humanize.Count(int(s.Files), "file"),
		s.CreatedAt.Format(time.RFC3339), describeLost(s.Lost, "were missing when it was backed up"), c.next())
	return err
}

// next says what is left to do.
func (c *restoreCommand) next() string {
	if c.Database.URL == "" {
		return ""
	}
	return "Start the service with the MASTHEAD_JWT_SECRET that it had; with another one, users sign in again.\n"
}

// where names the database.
func (c *restoreCommand) where() string {
	if c.Database.URL != "" {
		return "the database of MASTHEAD_DATABASE_URL"
	}
	return c.DataDir
}

func describeProgress(what string, p backup.Progress) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s", what, humanize.Bytes(p.Bytes))
	if p.Of > 0 {
		fmt.Fprintf(&b, ", %d of %d files", p.Files, p.Of)
	}
	return b.String()
}

func describeLost(lost int64, were string) string {
	if lost == 0 {
		return ""
	}
	return fmt.Sprintf("%s %s.\n", humanize.Count(int(lost), "file"), were)
}
