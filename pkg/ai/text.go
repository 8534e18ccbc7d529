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
)

// This file owns texts: asking for one in the form of a JSON schema, and taking it out of the answer.

const (
	// maxWriting is how many texts are asked for at once, beside the pictures.
	maxWriting = 4
	// maxTextAnswerBytes is the greatest length of the answer with a text.
	maxTextAnswerBytes = 256 << 10
)

// Question asks for a text.
type Question struct {
	// Instructions are ours. Data are what they are about, and may hold whatever strangers wrote: how the two are kept
	// apart there is for the caller.
	Instructions, Data string
	// Schema is what the answer must satisfy, a JSON schema of the strict kind (all properties required, no others);
	// Name is a word for it.
	Name   string
	Schema json.RawMessage
	// MaxTokens bounds the answer in the model's own unit, some four letters each.
	MaxTokens int
}

// Writes says whether texts can be had at all.
func (c *Client) Writes() bool { return c != nil && c.textModel != "" }

// Answer returns the model's answer to a question: a JSON object. Servers that know schemas hold it to the question's;
// of others it may be any, so the caller checks it in either case. The provider is asked once, and has the time try
// for it. Errors match one of this package's, or are that of ctx.
func (c *Client) Answer(ctx context.Context, q Question, try time.Duration) (answer json.RawMessage, err error) {
	if !c.Writes() {
		return nil, ErrOff
	}
	began := time.Now()
	defer func() { c.metrics.wrote(began, err) }()
	bounded, cancel := context.WithTimeout(ctx, try)
	defer cancel()
	if err = c.writing.Acquire(bounded, 1); err == nil {
		defer c.writing.Release(1)
		if err = c.spending.answer(bounded); err == nil {
			answer, err = c.write(bounded, q, c.textModel)
		}
	}
	switch {
	case err == nil:
		return answer, nil
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case errors.Is(bounded.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("%w: more than %v", ErrTimeout, try)
	}
	return nil, err
}

// answer asks once. A server that does not take a schema, which is no try at an answer, is asked again with the schema
// in the instructions, and from then on in that way alone.
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

// strictForm asks for an answer that the server holds to the schema. Source: the provider's reference, "Create chat
// completion".
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

// plainForm asks in words, with what every server of the wire format has known from the beginning.
func plainForm(q Question, model string) openai.ChatCompletionRequest {
	instructions := q.Instructions +
		"\n\nAnswer with one JSON object and nothing else. It must satisfy this JSON schema:\n" + string(q.Schema)
	return openai.ChatCompletionRequest{
		Model: model, Messages: messagesOf(instructions, q.Data),
		MaxTokens: q.MaxTokens, //nolint:staticcheck // SA1019: what took its place is not known to every server
	}
}

// refusesForm reports whether an error says that the request cannot be understood, and not that its words are refused.
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

// textOf takes the JSON object out of an answer.
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

// objectIn finds the JSON object in a text, beside which models that are not held to a form put a fence of Markdown or
// some words.
func objectIn(text string) (json.RawMessage, bool) {
	from, to := strings.IndexByte(text, '{'), strings.LastIndexByte(text, '}')
	if from < 0 || to < from {
		return nil, false
	}
	object := bytes.TrimSpace([]byte(text[from : to+1]))
	return object, json.Valid(object)
}
