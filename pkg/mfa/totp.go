package mfa

import (
	"context"
	"crypto/subtle"
	"fmt"
	"time"

	"github.com/pquerna/otp"
	"github.com/pquerna/otp/totp"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
)

// What all authenticator apps support. Source: RFC 6238, 4 and 5.2; RFC 4226, 4 (R6: 160 bits).
const (
	appPeriod = 30 * time.Second
	appDigits = 6
	appSecret = 20 // bytes
)

// setUpFor is how long a new secret waits for its first code.
const setUpFor = time.Hour

// NewApp is what an authenticator app needs to know.
type NewApp struct {
	Secret string // base32, for typing
	URI    string // otpauth://…, for a QR code
}

// AddApp creates the secret of an account's authenticator app; label is what the app shows, such as the email address.
// The app isn't required before [Service.ConfirmApp]; an earlier secret that was never confirmed is replaced. It
// returns CONFLICT if the account has an app.
func (s *Service) AddApp(ctx context.Context, userID, label string) (NewApp, error) {
	key, err := totp.Generate(totp.GenerateOpts{Issuer: s.issuer, AccountName: label, SecretSize: appSecret})
	if err != nil {
		return NewApp{}, fmt.Errorf("create a secret for an authenticator app: %w", err)
	}
	stored, err := s.store.insertSecret(ctx, userID, key.Secret(), s.now())
	if err != nil {
		return NewApp{}, err
	}
	if !stored {
		return NewApp{}, apperr.New(apperr.Conflict,
			"This account has an authenticator app. Remove it before you set up another one.")
	}
	return NewApp{Secret: key.Secret(), URI: key.URL()}, nil
}

// ConfirmApp requires the authenticator app from now on, if code is the one that it shows, and calls also in the same
// transaction. It returns new recovery codes, BAD_REQUEST for a wrong code, and CONFLICT if no app waits for its first
// code.
func (s *Service) ConfirmApp(
	ctx context.Context, userID, code string, also func(ctx context.Context, tx *db.Tx) error,
) (recovery []string, err error) {
	now := s.now()
	secret, err := s.store.secret(ctx, userID, false)
	if err != nil {
		return nil, err
	}
	none := apperr.New(apperr.Conflict, "No authenticator app is being set up. Begin with POST /users/me/totp.")
	if secret == "" {
		return nil, none
	}
	step, ok := stepOf(secret, plain(code), now)
	if !ok {
		return nil, wrongCode()
	}
	recovery = newRecoveryCodes()
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		if err := tx.Lock(ctx, "second factors of "+userID); err != nil {
			return err
		}
		activated, err := activate(ctx, tx, userID, secret, step, now)
		if err != nil {
			return err
		}
		if !activated {
			return none // concurrently
		}
		if err := replaceRecovery(ctx, tx, userID, recovery, now); err != nil {
			return err
		}
		return also(ctx, tx)
	})
	if err != nil {
		return nil, err
	}
	return recovery, nil
}

// stepOf returns the time step whose code of a secret is given: the present one or its neighbors, since clocks differ
// and people type slowly. Source: RFC 6238, 5.2.
func stepOf(secret, code string, now time.Time) (step int64, ok bool) {
	for _, offset := range []time.Duration{-appPeriod, 0, appPeriod} {
		at := now.Add(offset)
		want, err := totp.GenerateCodeCustom(secret, at, totp.ValidateOpts{
			Period: uint(appPeriod / time.Second), Digits: otp.DigitsSix, Algorithm: otp.AlgorithmSHA1,
		})
		if err == nil && subtle.ConstantTimeCompare([]byte(want), []byte(code)) == 1 {
			step, ok = at.Unix()/int64(appPeriod/time.Second), true
		}
	}
	return step, ok
}
