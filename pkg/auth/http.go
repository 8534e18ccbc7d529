package auth

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/mfa"
	"masthead/pkg/users"
	"masthead/pkg/wire"
)

// API has the operations on passwords and sessions, and the account operations that need a password or end the
// session.
type API struct{ service *Service }

// NewAPI returns the operations of s.
func NewAPI(s *Service) *API { return &API{service: s} }

// Register serves POST /auth/register: it returns the tokens of the new account and sets the cookie.
func (a *API) Register(ctx context.Context, r gen.RegisterRequestObject) (gen.RegisterResponseObject, error) {
	opened, err := a.service.Register(ctx, identity.CallerOf(ctx), NewAccount{
		Email: string(r.Body.Email), Password: r.Body.Password, Name: wire.Value(r.Body.Name),
		SetupToken: wire.Value(r.Body.SetupToken),
	})
	if err != nil {
		return nil, err
	}
	return gen.Register201JSONResponse{SessionCreatedJSONResponse: gen.SessionCreatedJSONResponse{
		Body:    wireSession(opened),
		Headers: gen.SessionCreatedResponseHeaders{Location: "/users/me", SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// Login serves POST /auth/login: it returns the tokens of a new session and sets the cookie.
func (a *API) Login(ctx context.Context, r gen.LoginRequestObject) (gen.LoginResponseObject, error) {
	opened, err := a.service.Login(ctx, identity.CallerOf(ctx), r.Body.Email, r.Body.Password,
		wire.Value(r.Body.Code))
	if err != nil {
		return nil, err
	}
	return gen.Login200JSONResponse{SessionJSONResponse: gen.SessionJSONResponse{
		Body: wireSession(opened), Headers: gen.SessionResponseHeaders{SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// RefreshSession serves POST /auth/refresh: it returns new tokens of the session and sets the cookie.
func (a *API) RefreshSession(
	ctx context.Context, r gen.RefreshSessionRequestObject,
) (gen.RefreshSessionResponseObject, error) {
	opened, err := a.service.Refresh(ctx, r.Body.RefreshToken)
	if err != nil {
		return nil, err
	}
	return gen.RefreshSession200JSONResponse{SessionJSONResponse: gen.SessionJSONResponse{
		Body: wireSession(opened), Headers: gen.SessionResponseHeaders{SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// ForgotPassword serves POST /auth/password/forgot.
func (a *API) ForgotPassword(
	ctx context.Context, r gen.ForgotPasswordRequestObject,
) (gen.ForgotPasswordResponseObject, error) {
	if err := a.service.ForgotPassword(ctx, r.Body.Email); err != nil {
		return nil, err
	}
	return gen.ForgotPassword202Response{}, nil
}

// RequestLink serves POST /auth/link.
func (a *API) RequestLink(ctx context.Context, r gen.RequestLinkRequestObject) (gen.RequestLinkResponseObject, error) {
	if err := a.service.RequestLink(ctx, r.Body.Email); err != nil {
		return nil, err
	}
	return gen.RequestLink202Response{}, nil
}

// ConfirmLink serves POST /auth/confirm: it returns the tokens of a new session and sets the cookie.
func (a *API) ConfirmLink(ctx context.Context, r gen.ConfirmLinkRequestObject) (gen.ConfirmLinkResponseObject, error) {
	opened, err := a.service.UseLink(ctx, identity.CallerOf(ctx), r.Body.Token, wire.Value(r.Body.Code))
	if err != nil {
		return nil, err
	}
	return gen.ConfirmLink200JSONResponse{SessionJSONResponse: gen.SessionJSONResponse{
		Body: wireSession(opened), Headers: gen.SessionResponseHeaders{SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// BeginProviderSignIn serves GET /auth/oidc: it redirects to the provider.
func (a *API) BeginProviderSignIn(
	ctx context.Context, r gen.BeginProviderSignInRequestObject,
) (gen.BeginProviderSignInResponseObject, error) {
	next := "/"
	if r.Params.Next != nil {
		next = *r.Params.Next
	}
	to, err := a.service.BeginProvider(ctx, next)
	if err != nil {
		return nil, err
	}
	return wireRedirect(to), nil
}

// FinishProviderSignIn serves GET /auth/oidc/callback: it signs in, or asks for more.
func (a *API) FinishProviderSignIn(
	ctx context.Context, r gen.FinishProviderSignInRequestObject,
) (gen.FinishProviderSignInResponseObject, error) {
	to, err := a.service.FinishProvider(ctx, identity.CallerOf(ctx), Answer{
		Cookie: wire.Value(r.Params.MastheadOidc), State: wire.Value(r.Params.State), Code: wire.Value(r.Params.Code),
		Error: wire.Value(r.Params.Error),
	})
	if err != nil {
		return nil, err
	}
	return wireRedirect(to), nil
}

// CompleteProviderSignIn serves POST /auth/oidc/complete: it returns the tokens of a new session and sets the cookie.
func (a *API) CompleteProviderSignIn(
	ctx context.Context, r gen.CompleteProviderSignInRequestObject,
) (gen.CompleteProviderSignInResponseObject, error) {
	opened, err := a.service.CompleteProvider(ctx, identity.CallerOf(ctx), wire.Value(r.Params.MastheadOidc), Proof{
		Password: wire.Value(r.Body.Password), Token: wire.Value(r.Body.Token), Code: wire.Value(r.Body.Code),
	})
	if err != nil {
		return nil, err
	}
	return gen.CompleteProviderSignIn200JSONResponse{SessionJSONResponse: gen.SessionJSONResponse{
		Body: wireSession(opened), Headers: gen.SessionResponseHeaders{SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// wireRedirect converts a redirect for a response.
func wireRedirect(to Redirect) gen.ProviderRedirectResponse {
	return gen.ProviderRedirectResponse{
		Headers: gen.ProviderRedirectResponseHeaders{Location: to.To, SetCookie: to.Cookie.String()},
	}
}

// ResetPassword serves POST /auth/password/reset.
func (a *API) ResetPassword(
	ctx context.Context, r gen.ResetPasswordRequestObject,
) (gen.ResetPasswordResponseObject, error) {
	if err := a.service.ResetPassword(ctx, r.Body.Token, r.Body.NewPassword); err != nil {
		return nil, err
	}
	return gen.ResetPassword204Response{}, nil
}

// Logout serves POST /auth/logout: it clears the cookie.
func (a *API) Logout(ctx context.Context, _ gen.LogoutRequestObject) (gen.LogoutResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.Logout(ctx, caller); err != nil {
		return nil, err
	}
	cleared := wireCookie(a.service.ClearedCookie())
	return gen.Logout204Response{Headers: gen.Logout204ResponseHeaders{SetCookie: cleared}}, nil
}

// UpdateMe serves PATCH /users/me: it returns the updated account.
func (a *API) UpdateMe(ctx context.Context, r gen.UpdateMeRequestObject) (gen.UpdateMeResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	changed, err := a.service.UpdateAccount(ctx, caller, AccountUpdate{
		Name: r.Body.Name, Email: (*string)(r.Body.Email), CurrentPassword: r.Body.CurrentPassword, Snippet: r.Body.Snippet,
	})
	if err != nil {
		return nil, err
	}
	return gen.UpdateMe200JSONResponse(users.WireUser(changed)), nil
}

// ChangeEmail serves POST /users/me/email.
func (a *API) ChangeEmail(ctx context.Context, r gen.ChangeEmailRequestObject) (gen.ChangeEmailResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.ChangeEmail(ctx, caller, string(r.Body.Email), r.Body.Password); err != nil {
		return nil, err
	}
	return gen.ChangeEmail202Response{}, nil
}

// ConfirmEmailChange serves POST /auth/email/confirm: it returns whether the address has changed.
func (a *API) ConfirmEmailChange(
	ctx context.Context, r gen.ConfirmEmailChangeRequestObject,
) (gen.ConfirmEmailChangeResponseObject, error) {
	changed, err := a.service.ConfirmEmailChange(ctx, r.Body.Token)
	if err != nil {
		return nil, err
	}
	return gen.ConfirmEmailChange200JSONResponse{Changed: changed}, nil
}

// DeleteMe serves DELETE /users/me: it clears the cookie.
func (a *API) DeleteMe(ctx context.Context, _ gen.DeleteMeRequestObject) (gen.DeleteMeResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.DeleteAccount(ctx, caller); err != nil {
		return nil, err
	}
	cleared := wireCookie(a.service.ClearedCookie())
	return gen.DeleteMe204Response{Headers: gen.DeleteMe204ResponseHeaders{SetCookie: cleared}}, nil
}

// ListSessions serves GET /users/me/sessions.
func (a *API) ListSessions(
	ctx context.Context, _ gen.ListSessionsRequestObject,
) (gen.ListSessionsResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	opened, err := a.service.Sessions(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.ListSessions200JSONResponse{Items: wire.Items(opened, wireOpened)}, nil
}

// EndSession serves DELETE /users/me/sessions/{sessionId}.
func (a *API) EndSession(ctx context.Context, r gen.EndSessionRequestObject) (gen.EndSessionResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.EndSession(ctx, caller, r.SessionId.String()); err != nil {
		return nil, err
	}
	return gen.EndSession204Response{}, nil
}

// EndOtherSessions serves DELETE /users/me/sessions.
func (a *API) EndOtherSessions(
	ctx context.Context, _ gen.EndOtherSessionsRequestObject,
) (gen.EndOtherSessionsResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.EndOtherSessions(ctx, caller); err != nil {
		return nil, err
	}
	return gen.EndOtherSessions204Response{}, nil
}

// ChangePassword serves PUT /users/me/password: it sets the cookie of the remaining session.
func (a *API) ChangePassword(
	ctx context.Context, r gen.ChangePasswordRequestObject,
) (gen.ChangePasswordResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	renewed, err := a.service.ChangePassword(ctx, caller, r.Body.CurrentPassword, r.Body.NewPassword)
	if err != nil {
		return nil, err
	}
	cookie := wireCookie(renewed)
	return gen.ChangePassword204Response{Headers: gen.ChangePassword204ResponseHeaders{SetCookie: cookie}}, nil
}

// GetSecondFactor serves GET /users/me/totp.
func (a *API) GetSecondFactor(
	ctx context.Context, _ gen.GetSecondFactorRequestObject,
) (gen.GetSecondFactorResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	factors, err := a.service.Factors(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.GetSecondFactor200JSONResponse{
		Required: factors.Required(), AppSince: wire.MomentOrNull(factors.AppSince), Passkeys: factors.Passkeys,
		RecoveryCodesLeft: factors.RecoveryCodes,
	}, nil
}

// AddTotp serves POST /users/me/totp: it returns the secret of an authenticator app.
func (a *API) AddTotp(ctx context.Context, _ gen.AddTotpRequestObject) (gen.AddTotpResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	added, err := a.service.AddApp(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.AddTotp201JSONResponse{Secret: added.Secret, Uri: added.URI}, nil
}

// ConfirmTotp serves POST /users/me/totp/confirm: it returns the recovery codes.
func (a *API) ConfirmTotp(ctx context.Context, r gen.ConfirmTotpRequestObject) (gen.ConfirmTotpResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	codes, err := a.service.ConfirmApp(ctx, caller, r.Body.Code)
	if err != nil {
		return nil, err
	}
	return gen.ConfirmTotp200JSONResponse{RecoveryCodes: codes}, nil
}

// RemoveTotp serves DELETE /users/me/totp.
func (a *API) RemoveTotp(ctx context.Context, _ gen.RemoveTotpRequestObject) (gen.RemoveTotpResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.RemoveApp(ctx, caller); err != nil {
		return nil, err
	}
	return gen.RemoveTotp204Response{}, nil
}

// RenewRecoveryCodes serves POST /users/me/recovery-codes.
func (a *API) RenewRecoveryCodes(
	ctx context.Context, _ gen.RenewRecoveryCodesRequestObject,
) (gen.RenewRecoveryCodesResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	codes, err := a.service.RenewRecoveryCodes(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.RenewRecoveryCodes200JSONResponse{RecoveryCodes: codes}, nil
}

// ListPasskeys serves GET /users/me/passkeys.
func (a *API) ListPasskeys(
	ctx context.Context, _ gen.ListPasskeysRequestObject,
) (gen.ListPasskeysResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	passkeys, err := a.service.Passkeys(ctx, caller)
	if err != nil {
		return nil, err
	}
	return gen.ListPasskeys200JSONResponse{Items: wire.Items(passkeys, wirePasskey)}, nil
}

// GetNewPasskeyOptions serves POST /users/me/passkeys/options.
func (a *API) GetNewPasskeyOptions(
	ctx context.Context, _ gen.GetNewPasskeyOptionsRequestObject,
) (gen.GetNewPasskeyOptionsResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	raw, err := a.service.AddPasskeyOptions(ctx, caller)
	if err != nil {
		return nil, err
	}
	options, err := wireOptions(raw)
	return gen.GetNewPasskeyOptions200JSONResponse(options), err
}

// AddPasskey serves POST /users/me/passkeys: it returns the passkey and, with the first second factor, recovery codes.
func (a *API) AddPasskey(ctx context.Context, r gen.AddPasskeyRequestObject) (gen.AddPasskeyResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	credential, err := json.Marshal(r.Body.Credential)
	if err != nil {
		return nil, fmt.Errorf("read a passkey: %w", err)
	}
	added, recovery, err := a.service.AddPasskey(ctx, caller, wire.Value(r.Body.Name), credential)
	if err != nil {
		return nil, err
	}
	created := gen.AddPasskey201JSONResponse{Passkey: wirePasskey(added)}
	if recovery != nil {
		created.RecoveryCodes = &recovery
	}
	return created, nil
}

// RemovePasskey serves DELETE /users/me/passkeys/{passkeyId}.
func (a *API) RemovePasskey(
	ctx context.Context, r gen.RemovePasskeyRequestObject,
) (gen.RemovePasskeyResponseObject, error) {
	caller, err := signedIn(ctx)
	if err != nil {
		return nil, err
	}
	if err := a.service.RemovePasskey(ctx, caller, r.PasskeyId.String()); err != nil {
		return nil, err
	}
	return gen.RemovePasskey204Response{}, nil
}

// GetPasskeyOptions serves POST /auth/passkey/options.
func (a *API) GetPasskeyOptions(
	_ context.Context, _ gen.GetPasskeyOptionsRequestObject,
) (gen.GetPasskeyOptionsResponseObject, error) {
	raw, err := a.service.PasskeyOptions()
	if err != nil {
		return nil, err
	}
	options, err := wireOptions(raw)
	return gen.GetPasskeyOptions200JSONResponse(options), err
}

// LoginWithPasskey serves POST /auth/passkey: it returns the tokens of a new session and sets the cookie.
func (a *API) LoginWithPasskey(
	ctx context.Context, r gen.LoginWithPasskeyRequestObject,
) (gen.LoginWithPasskeyResponseObject, error) {
	credential, err := json.Marshal(r.Body.Credential)
	if err != nil {
		return nil, fmt.Errorf("read a passkey: %w", err)
	}
	opened, err := a.service.LoginWithPasskey(ctx, identity.CallerOf(ctx), credential)
	if err != nil {
		return nil, err
	}
	return gen.LoginWithPasskey200JSONResponse{SessionJSONResponse: gen.SessionJSONResponse{
		Body: wireSession(opened), Headers: gen.SessionResponseHeaders{SetCookie: wireCookie(opened.Cookie)},
	}}, nil
}

// wireOptions converts the options of a passkey for a response.
func wireOptions(raw []byte) (options gen.PasskeyOptions, err error) {
	if err := json.Unmarshal(raw, &options); err != nil {
		return gen.PasskeyOptions{}, fmt.Errorf("write the options of a passkey: %w", err)
	}
	return options, nil
}

// wirePasskey converts a passkey for a response.
func wirePasskey(p mfa.Passkey) gen.Passkey {
	return gen.Passkey{
		Id: wire.UUID(p.ID), Name: p.Name, CreatedAt: wire.Moment(p.CreatedAt),
		LastUsedAt: wire.MomentOrNull(p.LastUsed),
	}
}

// signedIn returns the caller of an operation on the caller's own session. It checks again, in case the middleware
// ever lets other callers pass.
func signedIn(ctx context.Context) (identity.Caller, error) {
	caller := identity.CallerOf(ctx)
	if caller.Anonymous() || caller.SessionID == "" {
		return identity.Caller{}, apperr.New(apperr.Unauthorized,
			"This operation needs an access token from POST /auth/login.")
	}
	return caller, nil
}

// wireOpened converts a session for a response.
func wireOpened(o SessionInfo) gen.OpenSession {
	return gen.OpenSession{
		Id: wire.UUID(o.ID), Device: wire.OrNull(o.Device), Address: wire.OrNull(o.Address),
		CreatedAt: wire.Moment(o.CreatedAt), LastUsedAt: wire.Moment(o.LastUsedAt), Current: o.Current,
	}
}

// wireSession converts a session's tokens for a response.
func wireSession(s Session) gen.SessionBody {
	return gen.SessionBody{
		AccessToken: s.AccessToken, RefreshToken: s.RefreshToken, TokenType: gen.SessionBodyTokenTypeBearer,
		ExpiresIn: int(s.ExpiresIn / time.Second), User: users.WireUser(s.User), Restored: s.Restored,
	}
}

// wireCookie returns the Set-Cookie header of c.
func wireCookie(c *http.Cookie) *string { return new(c.String()) }
