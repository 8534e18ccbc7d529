package moduletest_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	api "masthead/gen/client"
	"masthead/pkg/app"
	"masthead/pkg/app/apptest"
	"masthead/pkg/client"
)

func open(t *testing.T, server, credential string) *client.Client {
	t.Helper()
	c, err := client.New(server, credential)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestClient_fromNothingToAPicture(t *testing.T) {
	s := apptest.Start(t)
	ctx := t.Context()
	registered, err := open(t, s.Base, "").RegisterWithResponse(ctx,
		api.RegisterRequest{Email: "go@example.com", Password: apptest.Password})
	if err != nil {
		t.Fatal(err)
	}
	user := open(t, s.Base+"/api", registered.JSON201.AccessToken)
	project, err := user.CreateProjectWithResponse(ctx, nil, api.ProjectCreate{Name: "Go"})
	if err != nil {
		t.Fatal(err)
	}
	key, err := user.CreateKeyWithResponse(ctx, nil, api.KeyCreate{Name: "Go", ProjectId: &project.JSON201.Id})
	if err != nil {
		t.Fatal(err)
	}
	build := open(t, s.Base, key.JSON201.Secret)
	image, err := build.GenerateImageWithResponse(ctx, nil, api.GenerateRequest{
		Url: s.Site.At("/page/go"), ProjectId: project.JSON201.Id, Kind: new(api.ImageKindBlogHero),
		Style: &api.StyleRequest{Font: new(api.FontSpaceGrotesk)},
	})
	if err != nil {
		t.Fatal(err)
	}
	if image.JSON200.Width != 1600 || image.JSON200.Style.Font != api.FontSpaceGrotesk {
		t.Errorf("got %+v, want a hero in Space Grotesk", image.JSON200)
	}
	listed, err := build.ListImagesWithResponse(ctx, nil)
	if err != nil || len(listed.JSON200.Items) != 1 || listed.JSON200.Items[0].Id != image.JSON200.Id {
		t.Errorf("list: got %+v, %v, want the image", listed, err)
	}
}

func TestClient_everyErrorIsAProblem(t *testing.T) {
	s := apptest.StartSignedIn(t, func(c *app.Config) { c.Server.AuthRPM = 20 })
	ctx := t.Context()
	build, user, anonymous := open(t, s.Base, s.Key), open(t, s.Base, s.Session.Access), open(t, s.Base, "")
	request := api.GenerateRequest{Url: s.Site.At("/page/problem"), ProjectId: uuid.MustParse(s.Project)}
	first, err := build.GenerateImageWithResponse(ctx, nil, request)
	if err != nil {
		t.Fatal(err)
	}
	createOnly := &api.GenerateImageParams{IfNoneMatch: new(api.GenerateImageParamsIfNoneMatch("*"))}
	for name, c := range map[string]struct {
		call   func() error
		status int
		code   api.ErrorCode
		also   func(*client.Problem) bool
	}{
		"a bad request": {func() error {
			_, err := user.CreateProjectWithResponse(ctx, nil, api.ProjectCreate{Name: ""})
			return err
		}, 400, api.ErrorCodeBADREQUEST, func(p *client.Problem) bool {
			return p.Errors != nil &&
				(*p.Errors)[0].Pointer == "/name"
		}},
		"no credentials": {func() error {
			_, err := anonymous.ListImagesWithResponse(ctx, nil)
			return err
		}, 401, api.ErrorCodeUNAUTHORIZED, nil},
		"nothing there": {func() error {
			_, err := user.GetProjectWithResponse(ctx, uuid.MustParse(apptest.Nobody))
			return err
		}, 404, api.ErrorCodeNOTFOUND, nil},
		"an operation without a body": {func() error {
			_, err := user.DeleteImageWithResponse(ctx, uuid.MustParse(apptest.Nobody), nil)
			return err
		}, 404, api.ErrorCodeNOTFOUND, nil},
		"it exists": {func() error {
			_, err := build.GenerateImageWithResponse(ctx, createOnly, request)
			return err
		}, 409, api.ErrorCodeCONFLICT, func(p *client.Problem) bool {
			return p.ExistingId != nil &&
				*p.ExistingId == first.JSON200.Id
		}},
		"too many": {func() (err error) {
			for range 30 {
				_, err = anonymous.LoginWithResponse(ctx, api.LoginRequest{Email: "a@example.com", Password: "wrong"})
			}
			return err
		}, 429, api.ErrorCodeRATELIMITED, func(p *client.Problem) bool {
			return p.RetryAfter > 0 &&
				p.RetryAfter <= time.Minute
		}},
	} {
		var problem *client.Problem
		if err := c.call(); !errors.As(err, &problem) {
			t.Errorf("%s: got %v, want a problem", name, err)
			continue
		}
		if problem.Status != c.status || problem.Code != c.code || problem.RequestId == "" || c.also != nil &&
			!c.also(problem) {
			t.Errorf("%s: got %+v, want %d %s", name, problem, c.status, c.code)
		}
		if text := problem.Error(); !strings.Contains(text, string(c.code)) || !strings.Contains(text, problem.Detail) {
			t.Errorf("%s: got the text %q", name, text)
		}
	}
}

// What stands between may answer too, and speaks no JSON.
func TestClient_foreignErrorIsAProblemToo(t *testing.T) {
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		http.Error(w, "<h1>Bad gateway</h1>", http.StatusBadGateway)
	}))
	defer proxy.Close()
	_, err := open(t, proxy.URL, "").GetHealthWithResponse(t.Context())
	var problem *client.Problem
	if !errors.As(err, &problem) || problem.Status != 502 || problem.RetryAfter != 7*time.Second ||
		problem.Error() != "502: Bad Gateway" {
		t.Errorf("got %v, want a problem of status 502", err)
	}
}
