package auth_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	openapi_types "github.com/oapi-codegen/runtime/types"

	"masthead/gen"
	"masthead/pkg/apperr"
	"masthead/pkg/auth"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
)

// sentCookie returns the cookie that a response sets.
func sentCookie(t *testing.T, visit func(http.ResponseWriter) error, status int) *http.Cookie {
	t.Helper()
	rec := httptest.NewRecorder()
	if err := visit(rec); err != nil {
		t.Fatal(err)
	}
	cookies := rec.Result().Cookies()
	if rec.Code != status || len(cookies) != 1 || cookies[0].Name != identity.CookieName {
		t.Fatalf("got %d and the cookies %v, want %d and access_token", rec.Code, cookies, status)
	}
	return cookies[0]
}

func TestAPI_operationsAnswer(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	api := auth.NewAPI(f.Service)

	made, err := api.Register(t.Context(), gen.RegisterRequestObject{Body: &gen.RegisterRequest{
		Email: "ada@example.com", Password: password, Name: new("Ada"),
	}})
	if err != nil {
		t.Fatal(err)
	}
	body := made.(gen.Register201JSONResponse).Body
	if body.TokenType != "Bearer" || body.ExpiresIn != 3600 || body.User.Name != "Ada" || body.User.Role != "admin" ||
		body.RefreshToken == "" {
		t.Errorf("register: got %+v", body)
	}
	if c := sentCookie(t, made.VisitRegisterResponse, 201); c.Value != body.AccessToken {
		t.Error("register: the cookie carries another token")
	}

	in, err := api.Login(t.Context(),
		gen.LoginRequestObject{Body: &gen.LoginRequest{Email: "ada@example.com", Password: password}})
	if err != nil {
		t.Fatal(err)
	}
	session := in.(gen.Login200JSONResponse).Body
	if c := sentCookie(t, in.VisitLoginResponse, 200); c.Value != session.AccessToken {
		t.Error("login: the cookie carries another token")
	}
	refreshed, err := api.RefreshSession(t.Context(),
		gen.RefreshSessionRequestObject{Body: &gen.RefreshRequest{RefreshToken: session.RefreshToken}})
	if err != nil {
		t.Fatal(err)
	}
	if c := sentCookie(t, refreshed.VisitRefreshSessionResponse,
		200); c.Value != refreshed.(gen.RefreshSession200JSONResponse).Body.AccessToken {
		t.Error("refresh: the cookie carries another token")
	}

	ctx := identity.WithCaller(t.Context(), f.as(t, auth.Session{AccessToken: session.AccessToken}))
	changed, err := api.UpdateMe(ctx, gen.UpdateMeRequestObject{Body: &gen.UserUpdate{
		Email: new(openapi_types.Email("ada@example.org")), CurrentPassword: new(password), Name: new("Countess"),
	}})
	if u, ok := changed.(gen.UpdateMe200JSONResponse); err != nil || !ok || u.Email != "ada@example.org" ||
		u.Name != "Countess" {
		t.Errorf("update: got %+v, %v", changed, err)
	}
	secured, err := api.ChangePassword(ctx, gen.ChangePasswordRequestObject{Body: &gen.PasswordChange{
		CurrentPassword: password, NewPassword: "another good password",
	}})
	if err != nil {
		t.Fatal(err)
	}
	fresh := sentCookie(t, secured.VisitChangePasswordResponse, 204)
	f.wantAlive(t, "the token in the new cookie", auth.Session{AccessToken: fresh.Value}, true)
	f.wantAlive(t, "the token of registering", auth.Session{AccessToken: body.AccessToken}, false)

	ctx = identity.WithCaller(t.Context(), f.as(t, auth.Session{AccessToken: fresh.Value}))
	out, err := api.Logout(ctx, gen.LogoutRequestObject{})
	if err != nil {
		t.Fatal(err)
	}
	if c := sentCookie(t, out.VisitLogoutResponse, 204); c.MaxAge != -1 || c.Value != "" {
		t.Errorf("logout: got %v, want it cleared", c)
	}
	f.wantAlive(t, "after logout", auth.Session{AccessToken: fresh.Value}, false)

	again, err := f.Login(t.Context(), identity.Caller{}, "ada@example.org", "another good password")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.users.Promote(t.Context(), f.register(t, "admin@example.com").User.ID); err != nil {
		t.Fatal(err)
	}
	gone, err := api.DeleteMe(identity.WithCaller(t.Context(), f.as(t, again)), gen.DeleteMeRequestObject{})
	if err != nil {
		t.Fatal(err)
	}
	if c := sentCookie(t, gone.VisitDeleteMeResponse, 204); c.MaxAge != -1 {
		t.Errorf("delete: got %v, want it cleared", c)
	}
	f.wantAlive(t, "after deletion", again, false)
}

func TestAPI_withoutASessionIs401(t *testing.T) {
	api := auth.NewAPI(open(t, dbtest.SQLite(t)).Service)
	ctx := identity.WithCaller(t.Context(), from("192.0.2.7"))
	_, logout := api.Logout(ctx, gen.LogoutRequestObject{})
	_, update := api.UpdateMe(ctx, gen.UpdateMeRequestObject{Body: &gen.UserUpdate{}})
	_, remove := api.DeleteMe(ctx, gen.DeleteMeRequestObject{})
	_, change := api.ChangePassword(ctx, gen.ChangePasswordRequestObject{Body: &gen.PasswordChange{}})
	for what, err := range map[string]error{"logout": logout, "update": update, "delete": remove,
		"change password": change} {
		wantCode(t, what, err, apperr.Unauthorized)
	}
}

func TestAPI_refusalSetsNoCookie(t *testing.T) {
	api := auth.NewAPI(open(t, dbtest.SQLite(t)).Service)
	register, err := api.Register(t.Context(),
		gen.RegisterRequestObject{Body: &gen.RegisterRequest{Email: "ada@example.com", Password: "short"}})
	wantCode(t, "register", err, apperr.BadRequest)
	login, err := api.Login(t.Context(),
		gen.LoginRequestObject{Body: &gen.LoginRequest{Email: "ada@example.com", Password: password}})
	wantCode(t, "login", err, apperr.Unauthorized)
	if strings.Contains(err.Error(), "ada@") {
		t.Errorf("the response repeats the address: %v", err)
	}
	refresh, err := api.RefreshSession(t.Context(),
		gen.RefreshSessionRequestObject{Body: &gen.RefreshRequest{RefreshToken: "x"}})
	wantCode(t, "refresh", err, apperr.Unauthorized)
	if register != nil || login != nil || refresh != nil {
		t.Errorf("got %v, %v, %v, want no responses", register, login, refresh)
	}
}
