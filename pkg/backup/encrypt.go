package backup

import (
	"archive/tar"
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"

	"filippo.io/age"
)

// Encrypted archives are age files with one recipient of the type scrypt. Source: https://age-encryption.org/v1.

const (
	ageHeader = "age-encryption.org/v1\n"
	// maxWork is the largest work factor of a passphrase, as a power of two, that is accepted when reading. age writes 18,
	// which takes a second; each step doubles that.
	maxWork = 20
)

var (
	// ErrPassphrase means that the passphrase isn't the one that the archive was encrypted with.
	ErrPassphrase = errors.New("the passphrase doesn't open this backup")
	// ErrEncrypted means that the archive is encrypted and there is no passphrase.
	ErrEncrypted = errors.New("this backup is encrypted")
)

type nopCloser struct{ io.Writer }

func (nopCloser) Close() error { return nil }

// seal returns a writer that encrypts to w, unless passphrase is "". It must be closed.
func seal(w io.Writer, passphrase string) (io.WriteCloser, error) {
	if passphrase == "" {
		return nopCloser{w}, nil
	}
	recipient, err := age.NewScryptRecipient(passphrase)
	if err != nil {
		return nil, fmt.Errorf("encrypt the backup: %w", err)
	}
	if workFactor != 0 {
		recipient.SetWorkFactor(workFactor)
	}
	return age.Encrypt(w, recipient)
}

// workFactor replaces age's in tests; 0 keeps it.
var workFactor int

// unseal returns the archive in r, decrypted if necessary.
func unseal(r io.Reader, passphrase string) (io.Reader, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, err := in.Peek(len(ageHeader))
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("read the backup: %w", err)
	}
	if !bytes.Equal(head, []byte(ageHeader)) {
		return in, nil
	}
	if passphrase == "" {
		return nil, ErrEncrypted
	}
	identity, err := age.NewScryptIdentity(passphrase)
	if err != nil {
		return nil, fmt.Errorf("decrypt the backup: %w", err)
	}
	identity.SetMaxWorkFactor(maxWork)
	out, err := age.Decrypt(in, identity)
	if errors.As(err, new(*age.NoIdentityMatchError)) {
		return nil, ErrPassphrase
	}
	if err != nil {
		return nil, damaged("%v", err)
	}
	return out, nil
}

// readFault words an error of reading an archive: one of the file system stays what it is, any other means that the
// archive isn't what was written.
func readFault(err error) error {
	switch {
	case errors.As(err, new(*fs.PathError)):
		return fmt.Errorf("read the backup: %w", err)
	case errors.Is(err, tar.ErrHeader):
		return damaged("it isn't an archive of masthead, or it was changed")
	}
	return damaged("%v", err)
}
