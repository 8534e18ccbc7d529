// Package client calls the service from Go. Its operations are those of the generated package gen/client, whose models
// it takes and returns; what it adds is that every error of the service is one Go error, [*Problem]:
//
//	c, err := client.New("https://masthead.example", key)
//	response, err := c.GenerateImageWithResponse(ctx, nil, api.GenerateRequest{Url: page, ProjectId: project})
//	var problem *client.Problem
//	if errors.As(err, &problem) && problem.Code == api.ErrorCodeRATELIMITED {
//		time.Sleep(problem.RetryAfter)
//	}
//
// A call that returns no error has succeeded: its response's JSON200, JSON201 or Body is there.
package client

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	api "masthead/gen/client"
)

// Client calls one service with one credential. It is safe for concurrent use.
type Client struct {
	*api.ClientWithResponses
}

// New returns a client of the service at server, such as "http://127.0.0.1:8080". credential is an API key or an access
// token; "" is enough for the operations that take none. Options are those of gen/client, such as its WithHTTPClient
// for time-outs and proxies.
func New(server, credential string, options ...api.ClientOption) (*Client, error) {
	c, err := api.NewClient(server, options...)
	if err != nil {
		return nil, fmt.Errorf("make a client of %s: %w", server, err)
	}
	c.Client = problems{c.Client}
	if credential != "" {
		c.RequestEditors = append(c.RequestEditors, func(_ context.Context, r *http.Request) error {
			r.Header.Set("Authorization", "Bearer "+credential)
			return nil
		})
	}
	return &Client{&api.ClientWithResponses{ClientInterface: c}}, nil
}

// Problem is an error of the service, whatever its status: what the response says (RFC 9457), and when to try again.
type Problem struct { //nolint:errname // RFC 9457 calls it so, and so does the document
	// Problem is the body. When the response is none of the service's own, such as a proxy's page, it has only status
	// and title.
	api.Problem
	// RetryAfter is the response's Retry-After; zero when it has none.
	RetryAfter time.Duration
	// Header is that of the response.
	Header http.Header
}

// Error says status, code, what is wrong and the id to quote when asking for help.
func (p *Problem) Error() string {
	text := strconv.Itoa(p.Status)
	if p.Code != "" {
		text += " " + string(p.Code)
	}
	if p.Detail == "" {
		return text + ": " + p.Title
	}
	return text + ": " + p.Detail + " (request " + p.RequestId + ")"
}

// maxProblem bounds, in bytes, how much of a response is read for a problem.
const maxProblem = 1 << 20

// problems makes responses of 400 and above errors.
type problems struct{ next api.HttpRequestDoer }

// Do sends the request. Its error is a [*Problem] when the service answered with one.
func (d problems) Do(r *http.Request) (*http.Response, error) {
	response, err := d.next.Do(r)
	if err != nil || response.StatusCode < 400 {
		return response, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, maxProblem))
	if err != nil {
		return nil, fmt.Errorf("read the response of status %d: %w", response.StatusCode, err)
	}
	problem := &Problem{Header: response.Header}
	if err := json.Unmarshal(body, &problem.Problem); err != nil {
		problem.Problem = api.Problem{Title: http.StatusText(response.StatusCode)}
	}
	problem.Status = response.StatusCode
	if seconds, err := strconv.Atoi(response.Header.Get("Retry-After")); err == nil {
		problem.RetryAfter = time.Duration(seconds) * time.Second
	}
	return nil, problem
}
