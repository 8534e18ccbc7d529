package ai

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"masthead/pkg/fetch"
	"masthead/pkg/weburl"
)

// Maximum sizes of responses in bytes. Base64 adds a third to a picture's size, and there may be text next to it.
const (
	maxAnswerBytes = MaxPictureBytes/3*4 + 1<<20
	maxErrorBytes  = 64 << 10
)

// openAI is a provider with an OpenAI-compatible API.
type openAI struct {
	client *openai.Client // for pictures
	texts  *openai.Client
	http   *http.Client
	fetch  *fetch.Client
	// plain are the models whose server rejected a schema. For them, the schema is part of the instructions.
	plain sync.Map
	// refused are the parameters that a model rejects: "MODEL PARAMETER".
	refused sync.Map
}

func newOpenAI(cfg Config, fetcher *fetch.Client) *openAI {
	p := &openAI{fetch: fetcher, http: &http.Client{
		// Proxy variables of the environment are ignored, as for all other connections.
		Transport: &http.Transport{
			ForceAttemptHTTP2: true, TLSHandshakeTimeout: 5 * time.Second, IdleConnTimeout: 90 * time.Second,
			MaxIdleConnsPerHost: maxRunning, MaxConnsPerHost: 2 * maxRunning, MaxResponseHeaderBytes: 64 << 10,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	settings := openai.DefaultConfig(cfg.APIKey)
	settings.BaseURL, settings.HTTPClient = cfg.BaseURL, boundedHTTP{p.http, maxAnswerBytes}
	p.client = openai.NewClientWithConfig(settings)
	settings.HTTPClient = boundedHTTP{p.http, maxTextAnswerBytes}
	p.texts = openai.NewClientWithConfig(settings)
	return p
}

// boundedHTTP is an HTTP client for the library, which has no size limits of its own and treats a redirect as a
// response.
type boundedHTTP struct {
	client *http.Client
	most   int64 // maximum bytes of a response
}

// Do implements [openai.HTTPDoer].
func (b boundedHTTP) Do(r *http.Request) (*http.Response, error) {
	resp, err := b.client.Do(r) //nolint:gosec // G704: the address is the operator's setting
	if err != nil {
		return nil, err
	}
	body := resp.Body
	switch {
	case resp.StatusCode >= 400:
		resp.Body = readCloser{io.LimitReader(body, maxErrorBytes), body}
	case resp.StatusCode >= 300:
		return nil, errors.Join(&statusError{resp.StatusCode}, body.Close())
	default:
		resp.Body = http.MaxBytesReader(nil, body, b.most)
	}
	return resp, nil
}

type readCloser struct {
	io.Reader
	io.Closer
}

// statusError is a response with nothing but a status.
type statusError struct{ status int }

// Error implements the error interface.
func (e *statusError) Error() string { return fmt.Sprintf("status %d", e.status) }

// picture requests one picture and returns its file.
func (p *openAI) picture(ctx context.Context, prompt, model string) ([]byte, error) {
	for {
		answer, err := p.client.CreateImage(ctx, p.request(prompt, model))
		if err == nil {
			return p.fileOf(ctx, answer)
		}
		// Rejecting a parameter isn't a failed attempt: the request is repeated without it.
		if !p.withoutRefused(model, err) {
			return nil, explain(err)
		}
	}
}

// Parameters that some models don't support.
const (
	responseFormat = "response_format"
	outputFormat   = "output_format"
	pictureSize    = "size"
)

// request returns the request for a picture with an aspect ratio of 3:2, or the closest that the model supports,
// embedded in the response. Source for sizes and parameters: the provider's API reference, "Create image"
// (https://platform.openai.com/docs/api-reference/images/create).
func (p *openAI) request(prompt, model string) openai.ImageRequest {
	r := openai.ImageRequest{Prompt: prompt, Model: model, N: 1, Size: openai.CreateImageSize1536x1024,
		ResponseFormat: openai.CreateImageResponseFormatB64JSON}
	switch {
	case strings.HasPrefix(model, "gpt-image"), strings.HasPrefix(model, "chatgpt-image"):
		// These models always embed the picture. A JPEG arrives sooner than a PNG.
		r.ResponseFormat, r.OutputFormat = "", openai.CreateImageOutputFormatJPEG
	case model == openai.CreateImageModelDallE3:
		r.Size = openai.CreateImageSize1792x1024
	case model == openai.CreateImageModelDallE2:
		r.Size = openai.CreateImageSize1024x1024
	}
	for name, field := range map[string]*string{
		responseFormat: &r.ResponseFormat, outputFormat: &r.OutputFormat, pictureSize: &r.Size,
	} {
		if _, refused := p.refused.Load(model + " " + name); refused {
			*field = ""
		}
	}
	return r
}

// withoutRefused records the parameter that the error rejects. It returns false if the error rejects no parameter
// that we sent.
func (p *openAI) withoutRefused(model string, err error) bool {
	var fault *openai.APIError
	if !errors.As(err, &fault) || fault.HTTPStatusCode != http.StatusBadRequest {
		return false
	}
	for _, name := range []string{responseFormat, outputFormat, pictureSize} {
		about := strings.Contains(fault.Message, "'"+name+"'") || strings.Contains(fault.Message, "`"+name+"`")
		if about || fault.Param != nil && *fault.Param == name {
			_, known := p.refused.LoadOrStore(model+" "+name, true)
			return !known
		}
	}
	return false
}

// fileOf returns the picture in a response, or downloads it from the address in the response.
func (p *openAI) fileOf(ctx context.Context, answer openai.ImageResponse) ([]byte, error) {
	if len(answer.Data) == 0 || answer.Data[0] == (openai.ImageResponseDataInner{}) {
		return nil, fmt.Errorf("%w: its answer has no picture", ErrProvider)
	}
	first := answer.Data[0]
	if first.B64JSON == "" {
		return p.download(ctx, first.URL)
	}
	file, err := base64.StdEncoding.DecodeString(first.B64JSON)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%w: its picture is not in base64", ErrProvider)
	case len(file) > MaxPictureBytes:
		return nil, fmt.Errorf("%w: its picture has %d bytes", ErrProvider, len(file))
	}
	return file, nil
}

// download fetches a picture as untrusted content.
func (p *openAI) download(ctx context.Context, address string) ([]byte, error) {
	u, err := weburl.Parse(address)
	if err != nil {
		return nil, fmt.Errorf("%w: it gave an address that is none", ErrProvider)
	}
	job, done := p.fetch.NewJob(ctx)
	defer done()
	job.Owner = "AI provider" // accounts pay for these pictures, so limits for anonymous callers don't apply
	response, err := job.Get(ctx, u, fetch.Image)
	if err == nil {
		err = response.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: its picture cannot be fetched: %w", ErrProvider, err)
	}
	return response.Body, nil
}

// policyCodes are the error codes of compatible providers for prompts that violate their policy.
var policyCodes = []string{
	"content_policy_violation", "moderation_blocked", "content_filter", "contentfilter", "responsibleaipolicyviolation",
}

// explain converts an error of the library, which may contain the prompt, the response or a part of the key.
func explain(err error) error {
	var fault *openai.APIError
	var bare *openai.RequestError
	var other *statusError
	var long *http.MaxBytesError
	switch {
	case errors.As(err, &fault):
		inner := ""
		if fault.InnerError != nil {
			inner = fault.InnerError.Code
		}
		code := fmt.Sprint(fault.Code)
		for _, policy := range policyCodes {
			if strings.EqualFold(code, policy) || strings.EqualFold(inner, policy) || strings.EqualFold(fault.Type, policy) {
				return fmt.Errorf("%w (%s)", ErrPolicy, policy)
			}
		}
		return fmt.Errorf("%w: status %d%s", ErrProvider, fault.HTTPStatusCode, asWord(code, fault.Type))
	case errors.As(err, &bare):
		return fmt.Errorf("%w: status %d", ErrProvider, bare.HTTPStatusCode)
	case errors.As(err, &other):
		return fmt.Errorf("%w: status %d", ErrProvider, other.status)
	case errors.As(err, &long):
		return fmt.Errorf("%w: its answer has more than %d bytes", ErrProvider, long.Limit)
	case isSyntax(err):
		return fmt.Errorf("%w: its answer is not what it should be", ErrProvider)
	}
	return fmt.Errorf("%w: %w", ErrProvider, err)
}

// word matches an error code. Sentences don't match, since they may contain anything.
var word = regexp.MustCompile(`^[A-Za-z0-9_.-]{1,64}$`)

// asWord returns the first error code of codes, formatted for the end of a message.
func asWord(codes ...string) string {
	for _, code := range codes {
		if word.MatchString(code) {
			return " (" + code + ")"
		}
	}
	return ""
}

// isSyntax reports whether an error concerns the format of a complete response.
func isSyntax(err error) bool {
	return errors.As(err, new(*json.SyntaxError)) || errors.As(err, new(*json.UnmarshalTypeError)) ||
		errors.Is(err, io.EOF)
}
