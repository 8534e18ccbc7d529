package auth

import (
	"context"
	"crypto/rand"
	"crypto/subtle"
	"encoding/base64"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/crypto/argon2"

	"masthead/pkg/apperr"
)

const (
	saltBytes = 16
	hashBytes = 32

	// hashWait is how long a request waits for a hashing slot; hashQueue is how many may wait. Source:
	// docs/security.md#accounts-sessions-and-keys.
	hashWait  = 2 * time.Second
	hashQueue = 256
)

// cost has the parameters of a hash.
type cost struct {
	memoryKiB, passes uint32
	lanes             uint8
}

// standardCost is the cost of new hashes. Source: docs/security.md#accounts-sessions-and-keys; the OWASP Password
// Storage Cheat Sheet recommends it
// (https://cheatsheetseries.owasp.org/cheatsheets/Password_Storage_Cheat_Sheet.html).
var standardCost = cost{memoryKiB: 19 * 1024, passes: 2, lanes: 1}

// cheapCost is that of hashes that protect nothing, in tests.
var cheapCost = cost{memoryKiB: 8, passes: 1, lanes: 1}

// below reports whether any parameter of c is lower than in o.
func (c cost) below(o cost) bool {
	return c.memoryKiB < o.memoryKiB || c.passes < o.passes || c.lanes < o.lanes
}

// hasher computes and verifies Argon2id password hashes in the PHC string format. It bounds concurrency, since each
// hash takes 19 MiB and tens of milliseconds of CPU time.
type hasher struct {
	cost    cost
	slots   chan struct{}
	waiting atomic.Int64
	refused atomic.Int64 // only for metrics
}

func newHasher(of cost) *hasher {
	return &hasher{cost: of, slots: make(chan struct{}, 2*runtime.NumCPU())}
}

// acquire takes a slot and returns a function that releases it, or Unavailable if no slot becomes free in time.
func (h *hasher) acquire(ctx context.Context) (release func(), err error) {
	release = func() { <-h.slots }
	select {
	case h.slots <- struct{}{}:
		return release, nil
	default:
	}
	defer h.waiting.Add(-1)
	if h.waiting.Add(1) > hashQueue {
		return nil, h.busy()
	}
	timer := time.NewTimer(hashWait)
	defer timer.Stop()
	select {
	case h.slots <- struct{}{}:
		return release, nil
	case <-timer.C:
		return nil, h.busy()
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

func (h *hasher) busy() error {
	h.refused.Add(1)
	err := apperr.New(apperr.Unavailable, "Too many people are signing in right now. Try again in a moment.")
	err.RetryAfter = hashWait
	return err
}

// hash returns the PHC string of a password.
func (h *hasher) hash(ctx context.Context, password string) (string, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	salt := make([]byte, saltBytes)
	rand.Read(salt) // never fails: crypto/rand crashes the program instead of returning an error
	key := argon2.IDKey([]byte(password), salt, h.cost.passes, h.cost.memoryKiB, h.cost.lanes, hashBytes)
	return phc{h.cost, salt, key}.String(), nil
}

// verify reports whether password matches encoded, and whether that hash is weaker than new ones. If encoded is
// empty, it takes as long and returns false, so that response times don't reveal whether an account exists.
func (h *hasher) verify(ctx context.Context, encoded, password string) (ok, weak bool, err error) {
	stored := phc{h.cost, make([]byte, saltBytes), make([]byte, hashBytes)}
	if encoded != "" {
		if stored, err = parsePHC(encoded); err != nil {
			return false, false, err
		}
	}
	release, err := h.acquire(ctx)
	if err != nil {
		return false, false, err
	}
	defer release()
	key := argon2.IDKey([]byte(password), stored.salt, stored.cost.passes, stored.cost.memoryKiB, stored.cost.lanes,
		uint32(len(stored.key)))
	same := subtle.ConstantTimeCompare(key, stored.key) == 1
	return same && encoded != "", stored.cost.below(h.cost), nil
}

// phc is a hash with its parameters. Source: the PHC string format, https://github.com/P-H-C/phc-string-format.
type phc struct {
	cost      cost
	salt, key []byte
}

// String returns p as stored.
func (p phc) String() string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.cost.memoryKiB, p.cost.passes,
		p.cost.lanes, b64(p.salt), b64(p.key))
}

// parsePHC parses a stored hash. Its errors never contain the hash.
func parsePHC(encoded string) (phc, error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, errors.New("a stored password hash isn't Argon2id")
	}
	var p phc
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.cost.memoryKiB, &p.cost.passes, &p.cost.lanes); err != nil {
		return phc{}, errors.New("a stored password hash has no readable cost")
	}
	var saltErr, keyErr error
	p.salt, saltErr = base64.RawStdEncoding.Strict().DecodeString(parts[4])
	p.key, keyErr = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	// These limits keep a damaged row from exhausting memory. argon2 panics if there are no passes or lanes.
	sane := p.cost.memoryKiB <= 1<<20 && p.cost.passes >= 1 && p.cost.passes <= 64 && p.cost.lanes >= 1 &&
		len(p.salt) >= 8 && len(p.key) >= 16 && len(p.key) <= 64
	if saltErr != nil || keyErr != nil || !sane {
		return phc{}, errors.New("a stored password hash is damaged")
	}
	return p, nil
}
