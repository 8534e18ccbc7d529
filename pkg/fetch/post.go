package fetch

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"time"

	"masthead/pkg/apperr"
	"masthead/pkg/weburl"
)

// Limits of a POST. Source: docs/security.md#webhooks.
const (
	postTime = 10 * time.Second
	// maxPostResponse is how much of a response is read.
	maxPostResponse = 64 << 10
)

// PlainDetail is the message for an http address that isn't one of the operator's.
const PlainDetail = "The address must begin with https://."

// PostResponse is the response to a POST, with any status.
type PostResponse struct {
	Status int
	// Body is its beginning, at most 64 KiB, as sent.
	Body []byte
}

// Post sends body to an endpoint of a user: a POST without redirects, in 10 s at most, with the headers of header. The
// same guard as for pages checks the host, at each call; without TLS only an address that the operator opened is
// reached. The limits of hosts and owners don't apply: the caller has limits of its own for each endpoint.
//
// Errors are those of [Job.Get]. An error means that there is no response, which may have been lost.
func (c *Client) Post(ctx context.Context, u weburl.URL, header http.Header, body []byte) (*PostResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	posted, err := c.post(ctx, u, header, body)
	if err != nil {
		return nil, c.withRefusal(ctx, u.Hostname(), explain(ctx, u.Hostname(), err))
	}
	return posted, nil
}

// CheckPost returns the error that [Client.Post] would return for an address before it sends anything.
func (c *Client) CheckPost(ctx context.Context, u weburl.URL) error {
	ctx, cancel := context.WithTimeout(ctx, postTime)
	defer cancel()
	if err := c.admitPost(ctx, u); err != nil {
		return c.withRefusal(ctx, u.Hostname(), explain(ctx, u.Hostname(), err))
	}
	return nil
}

func (c *Client) admitPost(ctx context.Context, u weburl.URL) error {
	_, exempt, err := c.dialer.admit(ctx, u.Host(), u.Port())
	if err == nil && !exempt && u.Scheme() != "https" {
		return apperr.New(apperr.BadRequest, PlainDetail)
	}
	return err
}

func (c *Client) post(ctx context.Context, u weburl.URL, header http.Header, body []byte) (*PostResponse, error) {
	if err := c.admitPost(ctx, u); err != nil {
		return nil, err
	}
	header = header.Clone()
	header.Set("User-Agent", c.userAgent)
	resp, err := c.transport.RoundTrip((&http.Request{
		Method: http.MethodPost, URL: u.URL(), Header: header, ContentLength: int64(len(body)),
		Body: io.NopCloser(bytes.NewReader(body)),
	}).WithContext(ctx))
	if err != nil {
		return nil, err //nolint:wrapcheck // explain says what it means
	}
	defer func() { _ = resp.Body.Close() }() // what is needed has been read
	if resp.StatusCode < 200 {
		return nil, fmt.Errorf("final status %d", resp.StatusCode)
	}
	// A body that breaks off is what there is of it: the status has arrived.
	text, _ := io.ReadAll(io.LimitReader(resp.Body, maxPostResponse))
	return &PostResponse{resp.StatusCode, text}, nil
}
