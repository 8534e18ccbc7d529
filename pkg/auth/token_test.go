package auth_test

import (
	"context"
	"encoding/base64"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"github.com/google/uuid"

	"masthead/pkg/apperr"
	"masthead/pkg/auditlog"
	"masthead/pkg/auth"
	"masthead/pkg/db"
	"masthead/pkg/db/dbtest"
	"masthead/pkg/identity"
	"masthead/pkg/users"
)

// otherSecret is as good as secret.
const otherSecret = "w7Jt2NqXr5Vz8Kc1Ym4Hb6Pd9Lf3Gs0Ta+I/EoUe="

// token makes an access token of a session by hand, with changes of its header and claims; nil removes one.
func (f *fixture) token(
	t *testing.T, s auth.Session, method jwt.SigningMethod, key any, header, claims map[string]any,
) string {
	t.Helper()
	caller, err := f.AuthenticateBearer(t.Context(), s.AccessToken)
	if err != nil {
		t.Fatal(err)
	}
	id, signing := f.SigningKey()
	token := jwt.NewWithClaims(method, jwt.MapClaims{
		"iss": "masthead", "aud": "masthead:access", "sub": s.User.ID, "sid": caller.SessionID, "jti": uuid.NewString(),
		"token_version": s.User.TokenVersion, "iat": f.at.Unix(), "nbf": f.at.Unix(), "exp": f.at.Add(time.Hour).Unix(),
	})
	token.Header["kid"] = id
	for _, c := range []struct{ to, changes map[string]any }{{token.Header, header},
		{token.Claims.(jwt.MapClaims), claims}} {
		maps.Copy(c.to, c.changes)
		maps.DeleteFunc(c.to, func(_ string, v any) bool { return v == nil })
	}
	if key == nil {
		key = signing
	}
	text, err := token.SignedString(key)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func TestAuthenticateBearer_everyClaimCounts(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	f.register(t, "bob@example.com")
	ada, other := f.register(t, "ada@example.com"), f.login(t, "bob@example.com")
	othersSession := f.as(t, other).SessionID
	hs256 := jwt.SigningMethodHS256
	type part = map[string]any
	at := func(d time.Duration) int64 { return f.at.Add(d).Unix() }
	for name, c := range map[string]struct {
		method         jwt.SigningMethod
		key            any
		header, claims part
		good           bool
	}{
		"as we make it":          {method: hs256, good: true},
		"a list of one audience": {method: hs256, claims: part{"aud": []string{"masthead:access"}}, good: true},
		"no typ":                 {method: hs256, header: part{"typ": nil}, good: true},
		"no signature":           {method: jwt.SigningMethodNone, key: jwt.UnsafeAllowNoneSignatureType},
		"none in other letters": {method: jwt.SigningMethodNone, key: jwt.UnsafeAllowNoneSignatureType,
			header: part{"alg": "None"}},
		"HS384":                   {method: jwt.SigningMethodHS384},
		"HS512":                   {method: jwt.SigningMethodHS512},
		"another alg in its head": {method: hs256, header: part{"alg": "HS384"}},
		"no alg":                  {method: hs256, header: part{"alg": nil}},
		"another key":             {method: hs256, key: []byte(otherSecret)},
		"the secret itself":       {method: hs256, key: []byte(secret)},
		"an empty key":            {method: hs256, key: []byte{}},
		"no kid":                  {method: hs256, header: part{"kid": nil}},
		"an unknown kid":          {method: hs256, header: part{"kid": "0011223344556677"}},
		"a kid that is a path":    {method: hs256, header: part{"kid": "../../dev/null"}},
		"a kid that is no text":   {method: hs256, header: part{"kid": 1}},
		"jku":                     {method: hs256, header: part{"jku": "https://example.com/keys"}},
		"x5u":                     {method: hs256, header: part{"x5u": "https://example.com/cert"}},
		"jwk":                     {method: hs256, header: part{"jwk": part{"kty": "oct", "k": "AAAA"}}},
		"crit":                    {method: hs256, header: part{"crit": []string{"exp"}}},
		"no iss":                  {method: hs256, claims: part{"iss": nil}},
		"another iss":             {method: hs256, claims: part{"iss": "https://example.com"}},
		"no aud":                  {method: hs256, claims: part{"aud": nil}},
		"another use":             {method: hs256, claims: part{"aud": "masthead:reset"}},
		"no sub":                  {method: hs256, claims: part{"sub": nil}},
		"another's sub":           {method: hs256, claims: part{"sub": other.User.ID}},
		"no iat":                  {method: hs256, claims: part{"iat": nil}},
		"made in 29 s": {method: hs256,
			claims: part{"iat": at(29 * time.Second), "nbf": at(29 * time.Second)}, good: true},
		"made in 31 s":        {method: hs256, claims: part{"iat": at(31 * time.Second)}},
		"no nbf":              {method: hs256, claims: part{"nbf": nil}},
		"not before 31 s":     {method: hs256, claims: part{"nbf": at(31 * time.Second)}},
		"no exp":              {method: hs256, claims: part{"exp": nil}},
		"expired since 29 s":  {method: hs256, claims: part{"exp": at(-29 * time.Second)}, good: true},
		"expired since 30 s":  {method: hs256, claims: part{"exp": at(-30 * time.Second)}},
		"an exp that is text": {method: hs256, claims: part{"exp": "tomorrow"}},
		"an exp as a string":  {method: hs256, claims: part{"exp": fmt.Sprint(at(time.Hour))}},
		"an iat as a string":  {method: hs256, claims: part{"iat": fmt.Sprint(at(0))}},
		"an nbf as a string":  {method: hs256, claims: part{"nbf": fmt.Sprint(at(0))}},
		"a fraction as exp":   {method: hs256, claims: part{"exp": float64(at(time.Hour)) + 0.5}},
		"an exp too far":      {method: hs256, claims: part{"exp": 1e300}},
		"a list as exp":       {method: hs256, claims: part{"exp": []int64{at(time.Hour)}}},
		"no jti":              {method: hs256, claims: part{"jti": nil}},
		"no sid":              {method: hs256, claims: part{"sid": nil}},
		"another's sid":       {method: hs256, claims: part{"sid": othersSession}},
		"an unknown sid":      {method: hs256, claims: part{"sid": uuid.NewString()}},
		"no token version":    {method: hs256, claims: part{"token_version": nil}},
		"an older one":        {method: hs256, claims: part{"token_version": 0}},
		"a newer one":         {method: hs256, claims: part{"token_version": 2}},
		"over 4 KiB":          {method: hs256, claims: part{"x": strings.Repeat("x", 4<<10)}},
	} {
		token := f.token(t, ada, c.method, c.key, c.header, c.claims)
		_, err := f.AuthenticateBearer(t.Context(), token)
		if c.good && err != nil {
			t.Errorf("%s: got %v, want it taken", name, err)
		}
		if !c.good {
			wantCode(t, name, err, apperr.Unauthorized)
		}
		if strings.HasPrefix(name, "expired") {
			continue
		}
		// The cookie is judged alike, but for expiry.
		if _, renew, err := f.AuthenticateCookie(t.Context(), token); (err == nil) != c.good || renew != nil {
			t.Errorf("%s, in the cookie: got %v, %v", name, renew, err)
		}
	}
}

func TestAuthenticateBearer_foreignTextIs401(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	good := f.register(t, "ada@example.com").AccessToken
	parts := strings.Split(good, ".")
	for _, token := range []string{
		"", ".", "..", "...", "a.b.c", good + ".", "." + good, good + " ", " " + good, good + "=",
		parts[0] + "." + parts[1], good + "." + parts[2],
		parts[0] + "." + parts[1] + ".", parts[0] + ".." + parts[2],
		parts[0] + "." + parts[1] + "." + strings.Repeat("A", 43),
		"\x00.\x00.\x00", strings.Repeat("a", 5000), strings.Repeat(".", 5000),
		base64.RawURLEncoding.EncodeToString([]byte(strings.Repeat("[", 1000))) + ".." + parts[2],
	} {
		_, err := f.AuthenticateBearer(t.Context(), token)
		wantCode(t, token, err, apperr.Unauthorized)
		_, renew, err := f.AuthenticateCookie(t.Context(), token)
		wantCode(t, token+" in the cookie", err, apperr.Unauthorized)
		if renew != nil {
			t.Errorf("%q is renewed", token)
		}
	}
}

func TestAuthenticateBearer_foreignTextAsksNoDatabase(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	good := f.register(t, "ada@example.com").AccessToken
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := f.AuthenticateBearer(ended, good[:len(good)-4]+"AAAA")
	wantCode(t, "a wrong signature", err, apperr.Unauthorized)
	_, err = f.AuthenticateBearer(ended, good)
	wantCode(t, "a good one", err, apperr.Internal)
}

func TestAuthenticateCookie_expiredTokenIsRenewed(t *testing.T) {
	dbtest.Run(t, func(t *testing.T, d *db.DB) {
		f := open(t, d)
		ada := f.register(t, "ada@example.com")
		f.at = birth.Add(time.Hour + 29*time.Second)
		if _, renew, err := f.AuthenticateCookie(t.Context(), ada.Cookie.Value); err != nil || renew != nil {
			t.Errorf("within the leeway: got %v, %v, want it taken as it is", renew, err)
		}
		f.at = birth.Add(time.Hour + 30*time.Second)
		_, err := f.AuthenticateBearer(t.Context(), ada.AccessToken)
		wantCode(t, "the bearer", err, apperr.Unauthorized)
		caller, renew, err := f.AuthenticateCookie(t.Context(), ada.Cookie.Value)
		if err != nil || renew == nil || caller.UserID != ada.User.ID || caller.Via != identity.Cookie {
			t.Fatalf("the cookie: got %+v, %v, %v", caller, renew, err)
		}
		if again, more, err := f.AuthenticateCookie(t.Context(), renew.Value); err != nil || more != nil ||
			again.SessionID != caller.SessionID {
			t.Errorf("the new cookie: got %+v, %v, %v", again, more, err)
		}
		if _, err := f.AuthenticateBearer(t.Context(), renew.Value); err != nil {
			t.Errorf("the new cookie's token as a bearer: %v", err)
		}
		// What is expired is renewed only while it is all else that it must be.
		_, renew, err = f.AuthenticateCookie(t.Context(), ada.Cookie.Value[:len(ada.Cookie.Value)-4]+"AAAA")
		wantCode(t, "an expired one of another's making", err, apperr.Unauthorized)
		if renew != nil {
			t.Error("it is renewed")
		}
		if err := f.Logout(t.Context(), caller); err != nil {
			t.Fatal(err)
		}
		_, _, err = f.AuthenticateCookie(t.Context(), ada.Cookie.Value)
		wantCode(t, "an expired one after logout", err, apperr.Unauthorized)
	})
}

func TestAuthenticateCookie_tokenOfAnotherUseIsNotRenewed(t *testing.T) {
	f := open(t, dbtest.SQLite(t))
	ada := f.register(t, "ada@example.com")
	past := f.at.Add(-2 * time.Hour).Unix()
	for name, claims := range map[string]map[string]any{
		"another use":        {"exp": past, "iat": past, "nbf": past, "aud": "masthead:reset"},
		"another issuer":     {"exp": past, "iat": past, "nbf": past, "iss": "x"},
		"no subject":         {"exp": past, "iat": past, "nbf": past, "sub": nil},
		"made after its end": {"exp": past},
		"an older version":   {"exp": past, "iat": past, "nbf": past, "token_version": 0},
	} {
		_, renew, err := f.AuthenticateCookie(t.Context(), f.token(t, ada, jwt.SigningMethodHS256, nil, nil, claims))
		wantCode(t, name, err, apperr.Unauthorized)
		if renew != nil {
			t.Errorf("%s is renewed", name)
		}
	}
}

func TestAuthenticateCookie_livesAsLongAsItsSession(t *testing.T) {
	const day = 24 * time.Hour
	d := dbtest.SQLite(t)
	f := open(t, d)
	idle := f.register(t, "idle@example.com").Cookie
	used := f.register(t, "used@example.com").Cookie
	for f.at.Sub(birth) < 90*day-13*day {
		f.at = f.at.Add(13 * day) // never idle for 14
		_, renew, err := f.AuthenticateCookie(t.Context(), used.Value)
		if err != nil || renew == nil {
			t.Fatalf("after %v: got %v, %v, want it renewed", f.at.Sub(birth), renew, err)
		}
		left := min(14*day, birth.Add(90*day).Sub(f.at))
		if renew.MaxAge != int(left/time.Second) {
			t.Errorf("after %v: it is kept for %d s, want %v", f.at.Sub(birth), renew.MaxAge, left)
		}
		used = renew
	}
	_, _, err := f.AuthenticateCookie(t.Context(), idle.Value)
	wantCode(t, "idle", err, apperr.Unauthorized)
	f.at = birth.Add(90*day - time.Second)
	if _, renew, err := f.AuthenticateCookie(t.Context(), used.Value); err != nil || renew == nil || renew.MaxAge != 1 {
		t.Errorf("a second before its end: got %v, %v", renew, err)
	}
	f.at = birth.Add(90 * day)
	_, _, err = f.AuthenticateCookie(t.Context(), used.Value)
	wantCode(t, "after 90 days", err, apperr.Unauthorized)
}

func TestAuthenticate_idleSessionEndsOnTheDay(t *testing.T) {
	const day = 24 * time.Hour
	f := open(t, dbtest.SQLite(t))
	a, b := f.register(t, "a@example.com"), f.register(t, "b@example.com")
	f.at = birth.Add(14*day - time.Second)
	if _, renew, err := f.AuthenticateCookie(t.Context(), a.Cookie.Value); err != nil || renew == nil {
		t.Errorf("a second before: got %v, %v", renew, err)
	}
	f.at = birth.Add(14 * day)
	_, _, err := f.AuthenticateCookie(t.Context(), b.Cookie.Value)
	wantCode(t, "after 14 days", err, apperr.Unauthorized)
}

func TestCookie_attributesAreStrict(t *testing.T) {
	for _, secure := range []bool{false, true} {
		f := open(t, dbtest.SQLite(t), func(cfg *auth.Config) { cfg.SecureCookie = secure })
		set := f.register(t, "ada@example.com").Cookie
		cleared := f.ClearedCookie()
		for what, c := range map[string]*http.Cookie{"set": set, "cleared": cleared} {
			if c.Name != "access_token" || !c.HttpOnly || c.SameSite != http.SameSiteLaxMode || c.Path != "/" ||
				c.Domain != "" || c.Secure != secure {
				t.Errorf("%s: got %v", what, c)
			}
			if err := c.Valid(); err != nil {
				t.Errorf("%s: %v", what, err)
			}
		}
		if set.MaxAge != 14*24*3600 || set.Value == "" {
			t.Errorf("got %v, want 14 days", set)
		}
		if cleared.MaxAge != -1 || cleared.Value != "" || !strings.Contains(cleared.String(), "Max-Age=0") {
			t.Errorf("got %v, want it removed", cleared)
		}
	}
}

func TestAuthenticate_previousSecretVerifies(t *testing.T) {
	d := dbtest.SQLite(t)
	before := open(t, d)
	ada := before.register(t, "ada@example.com")
	after := open(t, d, func(cfg *auth.Config) { cfg.Secret, cfg.PreviousSecret = otherSecret, secret })
	without := open(t, d, func(cfg *auth.Config) { cfg.Secret = otherSecret })
	after.wantAlive(t, "an old token with the previous secret", ada, true)
	without.wantAlive(t, "an old token without it", ada, false)
	bob := after.register(t, "bob@example.com")
	without.wantAlive(t, "a new token", bob, true)
	before.wantAlive(t, "a new token where the new secret is not known", bob, false)
}

func FuzzAccessToken(f *testing.F) {
	f.Add("")
	f.Add("a.b.c")
	f.Add("eyJhbGciOiJub25lIn0.e30.")
	f.Add("eyJhbGciOiJIUzI1NiIsImtpZCI6bnVsbH0.eyJleHAiOjFlOTk5fQ.AAAA")
	d := dbtest.SQLite(f)
	s, err := auth.New(auth.Config{Secret: secret}, auth.Deps{
		DB: d, Users: users.New(d, auditlog.New(d), nil), AuditLog: auditlog.New(d),
	})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, token string) {
		// Nobody has registered: whatever is taken was not made by us.
		_, err := s.AuthenticateBearer(t.Context(), token)
		wantCode(t, "bearer", err, apperr.Unauthorized)
		_, _, err = s.AuthenticateCookie(t.Context(), token)
		wantCode(t, "cookie", err, apperr.Unauthorized)
	})
}
