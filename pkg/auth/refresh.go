package auth

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"log/slog"
	"time"

	"masthead/pkg/apperr"
)

const (
	refreshBytes = 32

	// refreshGrace is how long after its exchange an old refresh token still returns the same successor, for two tabs
	// that wake up together or a lost response. Source: openapi.yaml, operation refreshSession.
	refreshGrace = 10 * time.Second

	// keptTokens is how many refresh tokens of a session are stored to detect reuse: three weeks at one per hour.
	keptTokens = 500
)

func newRefreshToken() []byte {
	token := make([]byte, refreshBytes)
	rand.Read(token) // never fails: crypto/rand crashes the program instead of returning an error
	return token
}

func encodeRefreshToken(token []byte) string { return base64.RawURLEncoding.EncodeToString(token) }

// digest returns the stored digest of a refresh token. 256 random bits need no slow hash.
func digest(token []byte) string {
	sum := sha256.Sum256(token)
	return hex.EncodeToString(sum[:])
}

// Refresh exchanges a refresh token for new tokens of its session. A token that was exchanged more than
// [refreshGrace] ago has been stolen or copied, so its reuse ends the session. Refresh returns Unauthorized for an
// invalid token.
func (s *Service) Refresh(ctx context.Context, refreshToken string) (Session, error) {
	token, err := base64.RawURLEncoding.Strict().DecodeString(refreshToken)
	// The decoder skips line breaks, so the length of the text is checked too.
	if err != nil || len(token) != refreshBytes || len(refreshToken) != base64.RawURLEncoding.EncodedLen(refreshBytes) {
		return Session{}, notRefreshed(errors.New("not in the format of a refresh token"))
	}
	successors := s.keys.successors(token)
	row, next, err := s.store.rotate(ctx, token, successors, s.now())
	var reused *reuseError
	if errors.As(err, &reused) {
		// Only this log entry tells the operator that a token was stolen, or that a client reuses old ones.
		slog.WarnContext(ctx, "refresh token used twice, session ended", "session_id", reused.sessionID, "user_id",
			reused.userID)
	}
	if err != nil {
		return Session{}, err
	}
	user, err := s.users.ByID(ctx, row.UserID)
	if apperr.CodeOf(err) == apperr.NotFound {
		return Session{}, notRefreshed(err)
	}
	if err != nil {
		return Session{}, err
	}
	return s.issue(row, user, next)
}

// notRefreshed returns the error for an invalid or expired refresh token.
func notRefreshed(cause error) error {
	return apperr.Wrap(apperr.Unauthorized, "The refresh token is not valid or has already been used. Sign in again.",
		cause)
}

// reuseError is the cause of the Unauthorized for a reused token.
type reuseError struct{ sessionID, userID string }

func (e *reuseError) Error() string { return "refresh token of session " + e.sessionID + " used twice" }
