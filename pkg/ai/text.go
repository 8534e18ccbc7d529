package ai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"time"

	openai "github.com/sashabaranov/go-openai"

	"masthead/pkg/fair"
	"masthead/pkg/tracing"
)

// This file requests texts that follow a JSON schema.

const (
	// maxWriting is the maximum number of concurrent text requests, in addition to pictures.
	maxWriting = 4
	// maxTextAnswerBytes is the maximum size of a response with a text.
	maxTextAnswerBytes = 256 << 10
)

// Question is a request for a text.
type Question struct {
	// Instructions come from us. Data is what they apply to and may contain untrusted text; the caller must keep it
	// apart from the instructions.
	Instructions, Data string
	// Schema is a strict JSON schema for the answer: all properties are required and no others are allowed. Name
	// identifies it, in one word.
	Name   string
	Schema json.RawMessage
	// MaxTokens is the maximum length of the answer in tokens, of about four letters each.
	MaxTokens int
}

// Writes reports whether texts are available.
func (c *Client) Writes() bool { return c != nil && c.textModel != "" }

// Answer returns the model's answer to a question as a JSON object. Servers that support schemas enforce the
// question's; others may return any object, so the caller must always validate it. Answer sends one request and waits
// at most try for it. Errors match one of this package's, or are the error of ctx.
func (c *Client) Answer(ctx context.Context, q Question, try time.Duration) (answer json.RawMessage, err error) {
	if !c.Writes() {
		return nil, ErrOff
	}
	began := time.Now()
	ctx, span := tracing.Start(ctx, "AI text")
	span.Text("gen_ai.request.model", c.textModel)
	defer func() { c.metrics.wrote(began, err); span.End(err) }()
	bounded, cancel := context.WithTimeout(ctx, try)
	defer cancel()
	leave, err := c.writing.Enter(bounded, "")
	if err == nil {
		defer leave()
		if err = c.spending.answer(bounded); err == nil {
			answer, err = c.write(bounded, q, c.textModel)
		}
	}
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(err, fair.ErrFull):
		return nil, fmt.Errorf("%w: too many wait", ErrBusy)
	case errors.Is(bounded.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: more than %v", ErrTimeout, try)
	}
	return nil, err
}

// answer makes one attempt. If the server rejects the schema, which doesn't count as an attempt, it repeats the
// request with the schema in the instructions, and later requests for the model start that way.
func (p *openAI) answer(ctx context.Context, q Question, model string) (json.RawMessage, error) {
	if _, plain := p.plain.Load(model); !plain {
		got, err := p.texts.CreateChatCompletion(ctx, strictForm(q, model))
		if err == nil {
			return textOf(got)
		}
		if !refusesForm(err) {
			return nil, explain(err)
		}
	}
	got, err := p.texts.CreateChatCompletion(ctx, plainForm(q, model))
	if err != nil {
		return nil, explain(err)
	}
	p.plain.Store(model, true)
	return textOf(got)
}

func messagesOf(instructions, data string) []openai.ChatCompletionMessage {
	return []openai.ChatCompletionMessage{
		{Role: openai.ChatMessageRoleSystem, Content: instructions}, {Role: openai.ChatMessageRoleUser, Content: data},
	}
}

// strictForm returns a request whose schema the server enforces. Source: the provider's API reference, "Create chat
// completion" (https://platform.openai.com/docs/api-reference/chat/create).
func strictForm(q Question, model string) openai.ChatCompletionRequest {
	return openai.ChatCompletionRequest{
		Model: model, Messages: messagesOf(q.Instructions, q.Data), MaxCompletionTokens: q.MaxTokens,
		ResponseFormat: &openai.ChatCompletionResponseFormat{
			Type: openai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &openai.ChatCompletionResponseFormatJSONSchema{
				Name: q.Name, Schema: q.Schema, Strict: true,
			},
		},
	}
}

// plainForm returns a request with the schema in words, using only parameters that every compatible server supports.
func plainForm(q Question, model string) openai.ChatCompletionRequest {
	instructions := q.Instructions +
		"\n\nAnswer with one JSON object and nothing else. It must satisfy this JSON schema:\n" + string(q.Schema)
	return openai.ChatCompletionRequest{
		Model: model, Messages: messagesOf(instructions, q.Data),
		MaxTokens: q.MaxTokens, //nolint:staticcheck // SA1019: not every server supports its replacement
	}
}

// refusesForm reports whether an error rejects the format of the request, not its content.
func refusesForm(err error) bool {
	var fault *openai.APIError
	var bare *openai.RequestError
	status := 0
	switch {
	case errors.As(err, &fault):
		status = fault.HTTPStatusCode
	case errors.As(err, &bare):
		status = bare.HTTPStatusCode
	}
	return (status == http.StatusBadRequest || status == http.StatusUnprocessableEntity ||
		status == http.StatusNotImplemented) && !errors.Is(explain(err), ErrPolicy)
}

// textOf returns the JSON object in a response.
func textOf(got openai.ChatCompletionResponse) (json.RawMessage, error) {
	if len(got.Choices) == 0 {
		return nil, fmt.Errorf("%w: its answer has no text", ErrProvider)
	}
	first := got.Choices[0]
	switch {
	case first.Message.Refusal != "" || first.FinishReason == openai.FinishReasonContentFilter:
		return nil, fmt.Errorf("%w (refusal)", ErrPolicy)
	case first.FinishReason == openai.FinishReasonLength:
		return nil, fmt.Errorf("%w: its text does not end within what it may be long", ErrProvider)
	}
	object, ok := objectIn(first.Message.Content)
	if !ok {
		return nil, fmt.Errorf("%w: its text is no JSON object", ErrProvider)
	}
	return object, nil
}

// objectIn finds the JSON object in a text. Models that don't enforce a schema may wrap it in a Markdown fence or add
// words.
func objectIn(text string) (json.RawMessage, bool) {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return nil, false
	}
	object := bytes.TrimSpace([]byte(text[from : to+1]))
	return object, json.Valid(object)
}
