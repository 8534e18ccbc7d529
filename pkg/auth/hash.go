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

	// hashWait is how long a request waits for its turn to hash, hashQueue how many wait. Source: security
	// requirements, 5 and 7.
	hashWait  = 2 * time.Second
	hashQueue = 256
)

// cost is what a hash takes.
type cost struct {
	memoryKiB, passes uint32
	lanes             uint8
}

// standardCost is that of new hashes. Source: security requirements, 5; one of the settings of the OWASP Password
// Storage Cheat Sheet.
var standardCost = cost{memoryKiB: 19 * 1024, passes: 2, lanes: 1}

// below says whether c is cheaper in some respect than o.
func (c cost) below(o cost) bool {
	return c.memoryKiB < o.memoryKiB || c.passes < o.passes || c.lanes < o.lanes
}

// hasher makes and checks password hashes, Argon2id in the PHC string form, a bounded number at once: each takes 19 MiB
// and some tens of milliseconds of a processor.
type hasher struct {
	cost    cost
	slots   chan struct{}
	waiting atomic.Int64
	refused atomic.Int64 // for metrics alone
}

func newHasher() *hasher {
	return &hasher{cost: standardCost, slots: make(chan struct{}, 2*runtime.NumCPU())}
}

// acquire takes a slot; Unavailable when none comes free in time. The caller calls release.
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
	rand.Read(salt) // never fails: it ends the program rather than return an error
	key := argon2.IDKey([]byte(password), salt, h.cost.passes, h.cost.memoryKiB, h.cost.lanes, hashBytes)
	return phc{h.cost, salt, key}.String(), nil
}

// verify says whether password is that of encoded, and whether that hash is cheaper than new ones are. With encoded
// empty it takes as long and says no: nobody can tell by the time whether there is such an account.
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

// phc is a hash with what made it. Source: the PHC string format, github.com/P-H-C/phc-string-format.
type phc struct {
	cost      cost
	salt, key []byte
}

// String returns p as it is stored.
func (p phc) String() string {
	b64 := base64.RawStdEncoding.EncodeToString
	return fmt.Sprintf("$argon2id$v=%d$m=%d,t=%d,p=%d$%s$%s", argon2.Version, p.cost.memoryKiB, p.cost.passes,
		p.cost.lanes, b64(p.salt), b64(p.key))
}

// parsePHC reads a stored hash. Its errors do not show it.
func parsePHC(encoded string) (phc, error) {
	parts := strings.Split(encoded, "$")
	if len(parts) != 6 || parts[0] != "" || parts[1] != "argon2id" || parts[2] != fmt.Sprintf("v=%d", argon2.Version) {
		return phc{}, errors.New("a stored password hash is not of Argon2id")
	}
	var p phc
	if _, err := fmt.Sscanf(parts[3], "m=%d,t=%d,p=%d", &p.cost.memoryKiB, &p.cost.passes, &p.cost.lanes); err != nil {
		return phc{}, errors.New("a stored password hash has no readable cost")
	}
	var saltErr, keyErr error
	p.salt, saltErr = base64.RawStdEncoding.Strict().DecodeString(parts[4])
	p.key, keyErr = base64.RawStdEncoding.Strict().DecodeString(parts[5])
	// The bounds keep a damaged row from taking the memory of the machine; argon2 panics on no passes and no lanes.
	sane := p.cost.memoryKiB <= 1<<20 && p.cost.passes >= 1 && p.cost.passes <= 64 && p.cost.lanes >= 1 &&
		len(p.salt) >= 8 && len(p.key) >= 16 && len(p.key) <= 64
	if saltErr != nil || keyErr != nil || !sane {
		return phc{}, errors.New("a stored password hash is damaged")
	}
	return p, nil
}
