package auth

import (
	"context"
	"time"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// API has the operations of passwords and sessions, and those of the account that take a password or end the session.
type API struct{ service *Service }

// NewAPI returns the operations over s.
func NewAPI(s *Service) *API { return &API{service: s} }

// Register implements gen.StrictServerInterface.
func (a *API) Register(ctx context.Context, r gen.RegisterRequestObject) (gen.RegisterResponseObject, error) {
	opened, err := a.service.Register(ctx, NewAccount{
		Email: string(r.Body.Email), Password: r.Body.Password, Name: valueOf(r.Body.Name), SetupToken: valueOf(r.Body.SetupToken),
	})
	if err != nil {
		return nil, err
	}
	body, err := sessionBody(opened)
	if err != nil {
		return nil, err
	}
	return gen.Register201JSONResponse{SessionCreatedJSONResponse: gen.SessionCreatedJSONResponse{
		Body: body, Headers: gen.SessionCreatedResponseHeaders{SetCookie: new(opened.Cookie.String())},
	}}, nil
}

// Login implements gen.StrictServerInterface.
func (a *API) Login(ctx context.Context, r gen.LoginRequestObject) (gen.LoginResponseObject, error) {
	opened, err := a.service.Login(ctx, r.Body.Email, r.Body.Password)
	if err != nil {
		return nil, err
	}
	answer, err := sessionAnswer(opened)
	if err != nil {
		return nil, err
	}
	return gen.Login200JSONResponse{SessionJSONResponse: answer}, nil
}

// RefreshSession implements gen.StrictServerInterface.
func (a *API) RefreshSession(ctx context.Context, r gen.RefreshSessionRequestObject) (gen.RefreshSessionResponseObject, error) {
	opened, err := a.service.Refresh(ctx, r.Body.RefreshToken)
	if err != nil {
		return nil, err
	}
	answer, err := sessionAnswer(opened)
	if err != nil {
		return nil, err
	}
	return gen.RefreshSession200JSONResponse{SessionJSONResponse: answer}, nil
}

// Logout implements gen.StrictServerInterface.
func (a *API) Logout(ctx context.Context, _ gen.LogoutRequestObject) (gen.LogoutResponseObject, error) {
	if err := signedIn(ctx); err != nil {
		return nil, err
	}
	if err := a.service.Logout(ctx); err != nil {
		return nil, err
	}
	return gen.Logout204Response{Headers: gen.Logout204ResponseHeaders{SetCookie: new(a.service.ClearedCookie().String())}}, nil
}

// UpdateMe implements gen.StrictServerInterface.
func (a *API) UpdateMe(ctx context.Context, r gen.UpdateMeRequestObject) (gen.UpdateMeResponseObject, error) {
	if err := signedIn(ctx); err != nil {
		return nil, err
	}
	user, err := a.service.UpdateAccount(ctx, AccountUpdate{
		Name: r.Body.Name, Email: (*string)(r.Body.Email), CurrentPassword: r.Body.CurrentPassword,
	})
	if err != nil {
		return nil, err
	}
	body, err := users.Body(user)
	if err != nil {
		return nil, err
	}
	return gen.UpdateMe200JSONResponse(body), nil
}

// DeleteMe implements gen.StrictServerInterface.
func (a *API) DeleteMe(ctx context.Context, _ gen.DeleteMeRequestObject) (gen.DeleteMeResponseObject, error) {
	if err := signedIn(ctx); err != nil {
		return nil, err
	}
	if err := a.service.DeleteAccount(ctx); err != nil {
		return nil, err
	}
	return gen.DeleteMe204Response{Headers: gen.DeleteMe204ResponseHeaders{SetCookie: new(a.service.ClearedCookie().String())}}, nil
}

// ChangePassword implements gen.StrictServerInterface.
func (a *API) ChangePassword(ctx context.Context, r gen.ChangePasswordRequestObject) (gen.ChangePasswordResponseObject, error) {
	if err := signedIn(ctx); err != nil {
		return nil, err
	}
	cookie, err := a.service.ChangePassword(ctx, r.Body.CurrentPassword, r.Body.NewPassword)
	if err != nil {
		return nil, err
	}
	return gen.ChangePassword204Response{Headers: gen.ChangePassword204ResponseHeaders{SetCookie: new(cookie.String())}}, nil
}

// signedIn guards the operations that act on the caller's own session, should the middleware before them ever let others pass.
func signedIn(ctx context.Context) error {
	if c := identity.CallerOf(ctx); c.Anonymous() || c.SessionID == "" {
		return apperr.New(apperr.Unauthorized, "This takes an access token of POST /auth/login.")
	}
	return nil
}

func sessionAnswer(opened Session) (gen.SessionJSONResponse, error) {
	body, err := sessionBody(opened)
	return gen.SessionJSONResponse{Body: body, Headers: gen.SessionResponseHeaders{SetCookie: new(opened.Cookie.String())}}, err
}

func sessionBody(opened Session) (gen.SessionBody, error) {
	user, err := users.Body(opened.User)
	return gen.SessionBody{
		AccessToken: opened.AccessToken, RefreshToken: opened.RefreshToken, TokenType: gen.SessionBodyTokenTypeBearer,
		ExpiresIn: int(opened.ExpiresIn / time.Second), User: user,
	}, err
}

// valueOf returns what p points to, or "" for a field that was left out.
func valueOf(p *string) string {
	if p == nil {
		return ""
	}
	return *p
}
