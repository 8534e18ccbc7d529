package ai_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai"
	"masthead/pkg/ai/fakeai"
)

// question asks about data for two texts.
func question(data string) ai.Question {
	return ai.Question{
		Instructions: "Describe the page.", Data: data, Name: "page", MaxTokens: 500,
		Schema: json.RawMessage(`{"type":"object","additionalProperties":false,"required":["title","audienceFit"],` +
			`"properties":{"title":{"type":"string"},"audienceFit":{"type":"string"}}}`),
	}
}

// openTexts serves a provider and returns a client for its texts.
func openTexts(t *testing.T) (*ai.Client, *fakeai.Running) {
	t.Helper()
	provider, err := fakeai.Open(t.Context(), "127.0.0.1:0", fakeai.Config{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = provider.Close() }) // the test is over
	c := ai.Open(ai.Config{BaseURL: provider.BaseURL, APIKey: key, TextModel: fakeai.ModelText}, nil, nil)
	t.Cleanup(c.Close)
	return c, provider
}

func TestAnswer_satisfiesTheSchema(t *testing.T) {
	c, provider := openTexts(t)
	got, err := c.Answer(t.Context(), question(`{"title": "Harbours at dawn"}`), time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	var answer map[string]string
	err = json.Unmarshal(got, &answer)
	if err != nil || answer["title"] != "Harbours at dawn" || answer["audienceFit"] == "" {
		t.Errorf("got %s, %v, want the two texts", got, err)
	}
	asked := provider.Chats()[0]
	if asked.Model != fakeai.ModelText || asked.ResponseFormat == nil || !asked.ResponseFormat.JSONSchema.Strict ||
		asked.ResponseFormat.Type != "json_schema" || asked.MaxCompletionTokens != 500 || len(asked.Messages) != 2 {
		t.Errorf("asked %+v, want a strict schema and a bound of 500 tokens", asked)
	}
}

func TestAnswer_faultsAreTold(t *testing.T) {
	c, provider := openTexts(t)
	for fault, want := range map[fakeai.Fault]error{
		fakeai.Busy: ai.ErrProvider, fakeai.Broken: ai.ErrProvider, fakeai.Unauthorized: ai.ErrProvider,
		fakeai.Policy: ai.ErrPolicy, fakeai.Refusal: ai.ErrPolicy, fakeai.Garbage: ai.ErrProvider,
		fakeai.Empty: ai.ErrProvider, fakeai.Garbled: ai.ErrProvider, fakeai.Cut: ai.ErrProvider,
		fakeai.Huge: ai.ErrProvider, fakeai.Redirect: ai.ErrProvider,
		fakeai.Schema: nil, // what the object holds is for the caller to find out
		fakeai.None:   nil,
	} {
		t.Run(string(fault), func(t *testing.T) {
			before := len(provider.Chats())
			const words = "the words of the data"
			got, err := c.Answer(t.Context(), question(`{"title": "`+words+`, fault:`+string(fault)+`"}`), time.Minute)
			if !errors.Is(err, want) {
				t.Fatalf("got %v, want %v", err, want)
			}
			if err != nil && (strings.Contains(err.Error(), key) || strings.Contains(err.Error(), words)) {
				t.Errorf("the error tells key or data: %v", err)
			}
			if (len(got) > 0) != (want == nil) {
				t.Errorf("got %d bytes beside the error %v", len(got), err)
			}
			if asked := len(provider.Chats()) - before; asked > 1 {
				t.Errorf("the provider was asked %d times, want once", asked)
			}
		})
	}
}

func TestAnswer_serverWithoutSchemas_isAskedInWords(t *testing.T) {
	c, provider := openTexts(t)
	provider.Fail(fakeai.Strict, -1)
	for range 2 {
		got, err := c.Answer(t.Context(), question(`{"title": "Dunes"}`), time.Minute)
		if err != nil || !strings.Contains(string(got), "Dunes") {
			t.Fatalf("got %s, %v", got, err)
		}
	}
	chats := provider.Chats()
	if len(chats) != 3 {
		t.Fatalf("the provider was asked %d times, want 3: once for the form, and once for each text", len(chats))
	}
	plain := chats[2]
	if plain.ResponseFormat != nil || plain.MaxTokens != 500 ||
		!strings.Contains(plain.Messages[0].Content, `"required":["title","audienceFit"]`) {
		t.Errorf("asked %+v, want the schema in the instructions", plain)
	}
}

func TestAnswer_slowProviderIsNotWaitedFor(t *testing.T) {
	c, provider := openTexts(t)
	provider.Fail(fakeai.Slow, -1)
	if _, err := c.Answer(t.Context(), question(`{}`), 50*time.Millisecond); !errors.Is(err, ai.ErrTimeout) {
		t.Errorf("got %v, want %v", err, ai.ErrTimeout)
	}
}

func TestAnswer_withoutAModelIsOff(t *testing.T) {
	c := client(t, "http://127.0.0.1:1")
	if _, err := c.Answer(t.Context(), question(`{}`), time.Second); !errors.Is(err, ai.ErrOff) || c.Writes() {
		t.Errorf("got %v, want %v", err, ai.ErrOff)
	}
}
