package mfa

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/netip"
	"net/url"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"masthead/pkg/apperr"
	"masthead/pkg/db"
	"masthead/pkg/weburl"
)

const (
	// maxPasskeys is the maximum number of passkeys per account.
	maxPasskeys = 20
	// maxCredential is the maximum size of what a browser sends for a passkey. Without an attestation it is about 1 KB.
	maxCredential = 16 << 10
)

// Passkey is a public key whose private key is in a device or a password manager, which asks for a finger, a face or a
// PIN before it signs. So it counts as both factors.
type Passkey struct {
	ID, Name  string
	CreatedAt time.Time
	LastUsed  time.Time // zero: never
}

// Owner is the account that a passkey is added to.
type Owner struct {
	UserID, SessionID string
	Label             string // what the device shows, such as the email address
	Name              string // the name of the new passkey
}

// newRelyingParty returns what passkeys of the installation at base belong to, or nil if its address can't have any: a
// browser binds them to a domain, and an IP address isn't one. On this machine that domain is localhost.
// Source: WebAuthn Level 3, 4, "RP ID" (https://www.w3.org/TR/webauthn-3/#rp-id).
func newRelyingParty(base string) *webauthn.WebAuthn {
	u, err := url.Parse(base)
	if err != nil || u.Hostname() == "" {
		return nil
	}
	host := u.Hostname()
	if weburl.IsLoopback(u.Host) {
		host = "localhost"
		if port := u.Port(); port != "" {
			u.Host = host + ":" + port
		} else {
			u.Host = host
		}
	}
	if _, err := netip.ParseAddr(host); err == nil {
		return nil
	}
	rp, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: issuerOf(base), RPOrigins: []string{u.Scheme + "://" + u.Host},
		// Who made the device is nobody's business here.
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
		// We ask for no extension and use no output of one. Some password managers send some unasked.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
		Timeouts: webauthn.TimeoutsConfig{
			Login:        webauthn.TimeoutConfig{Timeout: challengeLife},
			Registration: webauthn.TimeoutConfig{Timeout: challengeLife},
		},
	})
	if err != nil {
		return nil
	}
	return rp
}

// party returns the relying party, or CONFLICT.
func (s *Service) party() (*webauthn.WebAuthn, error) {
	if s.relyingParty == nil {
		return nil, apperr.New(apperr.Conflict, "Passkeys need a server with a domain name, since browsers bind them to "+
			"one. Set MASTHEAD_BASE_URL to an address with a name, or use an authenticator app.")
	}
	return s.relyingParty, nil
}

// holder implements [webauthn.User].
type holder struct {
	userID, label string
	credentials   []webauthn.Credential
}

func (h holder) WebAuthnID() []byte                         { return []byte(h.userID) }
func (h holder) WebAuthnName() string                       { return h.label }
func (h holder) WebAuthnDisplayName() string                { return h.label }
func (h holder) WebAuthnCredentials() []webauthn.Credential { return h.credentials }

// adding returns the options for adding a passkey, and what its answer is checked against.
func (s *Service) adding(h holder, challenge []byte) (*protocol.CredentialCreation, *webauthn.SessionData, error) {
	rp, err := s.party()
	if err != nil {
		return nil, nil, err
	}
	var known []protocol.CredentialDescriptor
	for _, c := range h.credentials {
		known = append(known, c.Descriptor())
	}
	options, session, err := rp.BeginRegistration(h, webauthn.WithExclusions(known),
		func(o *protocol.PublicKeyCredentialCreationOptions) error {
			o.Challenge = challenge
			return nil
		})
	if err != nil {
		return nil, nil, fmt.Errorf("begin to add a passkey to account %s: %w", h.userID, err)
	}
	return options, session, nil
}

// AddPasskeyOptions returns what the browser needs for a new passkey, in the JSON form of the standard
// (PublicKeyCredentialCreationOptionsJSON under publicKey). It returns CONFLICT if the account has 20, or if the server
// has no domain.
func (s *Service) AddPasskeyOptions(ctx context.Context, o Owner) (options []byte, err error) {
	credentials, err := s.store.credentials(ctx, o.UserID)
	if err != nil {
		return nil, err
	}
	if len(credentials) >= maxPasskeys {
		return nil, tooManyPasskeys()
	}
	h := holder{o.UserID, o.Label, credentials}
	creation, _, err := s.adding(h, s.newChallenge(forAdding(o.UserID, o.SessionID)))
	if err != nil {
		return nil, err
	}
	return json.Marshal(creation)
}

// AddPasskey stores a passkey that a browser has created for the options of [Service.AddPasskeyOptions] in the same
// session, and calls also in the same transaction. credential is its JSON form (PublicKeyCredential.toJSON()). If it is
// the account's first second factor, AddPasskey returns recovery codes. It returns BAD_REQUEST if the answer is wrong
// or the options were used or have expired, and CONFLICT for a passkey that is known or a twenty-first one.
func (s *Service) AddPasskey(
	ctx context.Context, o Owner, credential []byte, also func(ctx context.Context, tx *db.Tx) error,
) (added Passkey, recovery []string, err error) {
	if _, err := s.party(); err != nil {
		return Passkey{}, nil, err
	}
	answer, err := parseNew(credential)
	if err != nil {
		return Passkey{}, nil, badPasskey(err)
	}
	challenge, expires, err := s.challengeOf(answer.Response.CollectedClientData, forAdding(o.UserID, o.SessionID))
	if err != nil {
		return Passkey{}, nil, badPasskey(err)
	}
	h := holder{userID: o.UserID, label: o.Label}
	_, session, err := s.adding(h, challenge)
	if err != nil {
		return Passkey{}, nil, err
	}
	made, err := s.relyingParty.CreateCredential(h, *session, answer)
	if err != nil {
		return Passkey{}, nil, badPasskey(err)
	}
	added = Passkey{ID: db.NewID(), Name: o.Name, CreatedAt: db.Moment(s.now())}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		recovery = nil
		if err := tx.Lock(ctx, "second factors of "+o.UserID); err != nil {
			return err
		}
		fresh, err := useChallenge(ctx, tx, challenge, expires)
		if err != nil {
			return err
		}
		if !fresh {
			return badPasskey(errors.New("the options were used before"))
		}
		before, err := factorsOf(ctx, tx, o.UserID)
		if err != nil {
			return err
		}
		if before.Passkeys >= maxPasskeys {
			return tooManyPasskeys()
		}
		if err := insertPasskey(ctx, tx, o.UserID, added, *made); err != nil {
			return err
		}
		if before.Required() {
			return nil
		}
		recovery = newRecoveryCodes()
		if err := replaceRecovery(ctx, tx, o.UserID, recovery, s.now()); err != nil {
			return err
		}
		return also(ctx, tx)
	})
	if err != nil {
		return Passkey{}, nil, err
	}
	return added, recovery, nil
}

// PasskeyOptions returns what the browser needs to sign in with a passkey, in the JSON form of the standard
// (PublicKeyCredentialRequestOptionsJSON under publicKey). It returns CONFLICT if the server has no domain.
func (s *Service) PasskeyOptions() (options []byte, err error) {
	assertion, _, err := s.signingIn(s.newChallenge(forSignIn))
	if err != nil {
		return nil, err
	}
	return json.Marshal(assertion)
}

func (s *Service) signingIn(challenge []byte) (*protocol.CredentialAssertion, *webauthn.SessionData, error) {
	rp, err := s.party()
	if err != nil {
		return nil, nil, err
	}
	options, session, err := rp.BeginDiscoverableLogin(webauthn.WithChallenge(challenge),
		webauthn.WithUserVerification(protocol.VerificationRequired))
	if err != nil {
		return nil, nil, fmt.Errorf("begin to sign in with a passkey: %w", err)
	}
	return options, session, nil
}

// UsePasskey returns the account whose passkey has signed options of [Service.PasskeyOptions]. credential is the JSON
// form of the answer (PublicKeyCredential.toJSON()). Whatever is wrong with it is the same UNAUTHORIZED; the cause is
// only logged.
func (s *Service) UsePasskey(ctx context.Context, credential []byte) (userID string, err error) {
	if _, err := s.party(); err != nil {
		return "", err
	}
	answer, err := parseSigned(credential)
	if err != nil {
		return "", notSignedIn(err)
	}
	challenge, expires, err := s.challengeOf(answer.Response.CollectedClientData, forSignIn)
	if err != nil {
		return "", notSignedIn(err)
	}
	_, session, err := s.signingIn(challenge)
	if err != nil {
		return "", err
	}
	found, err := s.store.passkey(ctx, answer.RawID)
	if err != nil {
		return "", err
	}
	used, err := s.check(found, session, answer)
	if err != nil {
		return "", notSignedIn(err)
	}
	err = s.store.db.InTx(ctx, func(tx *db.Tx) error {
		fresh, err := useChallenge(ctx, tx, challenge, expires)
		if err != nil {
			return err
		}
		if !fresh {
			return notSignedIn(errors.New("the challenge was signed before"))
		}
		there, err := usePasskey(ctx, tx, found, *used, s.now())
		if err == nil && !there {
			return notSignedIn(errors.New("the passkey was removed or used at the same time"))
		}
		return err
	})
	if err != nil {
		return "", err
	}
	return found.UserID, nil
}

// check returns the credential after an answer, with its new counter.
func (s *Service) check(
	row passkeyRow, session *webauthn.SessionData, answer *protocol.ParsedCredentialAssertionData,
) (*webauthn.Credential, error) {
	if row.ID == "" {
		return nil, errors.New("the passkey is unknown")
	}
	known, err := row.stored()
	if err != nil {
		return nil, err
	}
	_, used, err := s.relyingParty.ValidatePasskeyLogin(func(_, _ []byte) (webauthn.User, error) {
		return holder{userID: row.UserID, credentials: []webauthn.Credential{known}}, nil
	}, *session, answer)
	if err != nil {
		return nil, err
	}
	// Source: WebAuthn Level 3, 6.1.1 (https://www.w3.org/TR/webauthn-3/#sctn-sign-counter).
	if used.Authenticator.CloneWarning {
		return nil, fmt.Errorf("passkey %s: its counter went back, so the key may have been copied", row.ID)
	}
	return used, nil
}

// Passkeys returns the passkeys of an account, the oldest first.
func (s *Service) Passkeys(ctx context.Context, userID string) ([]Passkey, error) {
	return s.store.passkeys(ctx, userID)
}

// RemovePasskey removes a passkey of an account and, if it was its last second factor, the recovery codes. It returns
// NOT_FOUND for one that the account doesn't have.
func (s *Service) RemovePasskey(ctx context.Context, userID, id string) error {
	return s.remove(ctx, userID, func(ctx context.Context, tx *db.Tx) error {
		removed, err := removePasskey(ctx, tx, userID, id)
		if err == nil && !removed {
			return apperr.New(apperr.NotFound, "There is no such passkey.")
		}
		return err
	})
}

// challengeOf returns the challenge that a browser says was signed, if it is one of ours for a purpose.
func (s *Service) challengeOf(data protocol.CollectedClientData, purpose string) ([]byte, time.Time, error) {
	challenge, err := base64.RawURLEncoding.Strict().DecodeString(data.Challenge)
	if err != nil {
		return nil, time.Time{}, errors.New("the challenge is not one of this server")
	}
	expires, err := s.expiry(challenge, purpose)
	return challenge, expires, err
}

// parseNew reads the answer of a browser that has created a passkey.
func parseNew(credential []byte) (*protocol.ParsedCredentialCreationData, error) {
	if len(credential) > maxCredential {
		return nil, errors.New("it is too large")
	}
	answer, err := protocol.ParseCredentialCreationResponseBytes(credential)
	if err != nil {
		return nil, err
	}
	// Browsers leave the attestation out unless it is asked for; "packed" remains where the passkey has signed it itself.
	// The formats of manufacturers would be much code for hostile input, for nothing.
	if format := answer.Response.AttestationObject.Format; format != "none" && format != "packed" {
		return nil, errors.New("it has an attestation, which wasn't asked for")
	}
	return answer, nil
}

// parseSigned reads the answer of a browser that has signed in with a passkey.
func parseSigned(credential []byte) (*protocol.ParsedCredentialAssertionData, error) {
	if len(credential) > maxCredential {
		return nil, errors.New("it is too large")
	}
	return protocol.ParseCredentialRequestResponseBytes(credential)
}

func tooManyPasskeys() error {
	return apperr.New(apperr.Conflict, fmt.Sprintf("This account has %d passkeys, which is the maximum. Remove one "+
		"before you add another.", maxPasskeys))
}

// badPasskey returns the error for an answer that adds nothing. The cause is only logged.
func badPasskey(cause error) error {
	err := apperr.Wrap(apperr.BadRequest, "The passkey couldn't be added.", cause)
	err.Fields = []apperr.Field{{Pointer: "/credential", Detail: "This doesn't answer options of this session, or they " +
		"are older than 5 minutes or were used. Begin again with POST /users/me/passkeys/options."}}
	return err
}

// NotSignedIn returns the error for a passkey that doesn't sign in. The cause is only logged.
func NotSignedIn(cause string) error { return notSignedIn(errors.New(cause)) }

func notSignedIn(cause error) error {
	return apperr.Wrap(apperr.Unauthorized, "This passkey doesn't sign in here. Begin again with POST "+
		"/auth/passkey/options, or sign in with the password.", cause)
}
