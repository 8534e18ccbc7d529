package fakeai

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"time"
)

// This file has the chat completions: answers that satisfy the requested schema, with words from the prompt's data.

// Chat is the part of a chat completion request that this provider reads.
type Chat struct {
	Model    string        `json:"model"`
	Messages []ChatMessage `json:"messages"`
	// ResponseFormat is nil if the schema is in the instructions.
	ResponseFormat *struct {
		Type       string `json:"type"`
		JSONSchema struct {
			Name   string          `json:"name"`
			Strict bool            `json:"strict"`
			Schema json.RawMessage `json:"schema"`
		} `json:"json_schema"`
	} `json:"response_format"`
	MaxTokens           int `json:"max_tokens"`
	MaxCompletionTokens int `json:"max_completion_tokens"`
}

// ChatMessage is a message; the role is system or user.
type ChatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// maxChat is the maximum length of a request in bytes, and maxChats how many requests a server keeps.
const (
	maxChat  = 1 << 20
	maxChats = 64
)

// Chats returns the last 64 requests for texts, failed ones included, oldest first.
func (s *Server) Chats() []Chat {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.texts)
}

func (s *Server) nextChat(asked Chat) Fault {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.texts = append(s.texts, asked); len(s.texts) > maxChats {
		s.texts = s.texts[1:]
	}
	return s.faultOf(asked.last())
}

// last returns the content of the last message.
func (c *Chat) last() string { return c.Messages[len(c.Messages)-1].Content }

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	var asked Chat
	err := json.NewDecoder(http.MaxBytesReader(w, r.Body, maxChat)).Decode(&asked)
	if err != nil || len(asked.Messages) == 0 {
		refuse(w, http.StatusBadRequest, "invalid_request_error", "messages", "The body must be JSON with messages.")
		return
	}
	fault := s.nextChat(asked)
	if !sleep(r.Context(), s.cfg.Delay) || s.fail(w, r, fault) {
		return
	}
	if fault == Strict && asked.ResponseFormat != nil {
		refuse(w, http.StatusBadRequest, "unknown_parameter", "response_format", "Unknown parameter: 'response_format'.")
		return
	}
	message := map[string]any{"role": "assistant", "content": asked.write()}
	switch fault {
	case Garbled:
		message["content"] = "I would rather tell you about my day."
	case Schema:
		message["content"] = `{"priorityActions": "none", "title": 7}`
	case Refusal:
		message["content"], message["refusal"] = "", "I cannot help with that."
	}
	body, err := json.Marshal(map[string]any{
		"id": "chatcmpl-fake", "object": "chat.completion", "created": time.Now().Unix(), "model": asked.Model,
		"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": "stop"}},
		"usage":   map[string]any{"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
	})
	if err != nil {
		panic(err) // strings and numbers always marshal
	}
	if fault == Cut {
		cut(w, body)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(body) // the client has disconnected
}

// schema is the part of a JSON schema that answers need.
type schema struct {
	Type       string             `json:"type"`
	Properties map[string]*schema `json:"properties"`
	Items      *schema            `json:"items"`
	Enum       []string           `json:"enum"`
}

// write returns the answer: JSON if there is a schema.
func (c *Chat) write() string {
	var form *schema
	if c.ResponseFormat != nil {
		_ = json.Unmarshal(c.ResponseFormat.JSONSchema.Schema, &form) // without one, the answer is plain text
	}
	for _, m := range c.Messages {
		if object := objectIn(m.Content); form == nil && object != nil && m.Role == "system" {
			_ = json.Unmarshal(object, &form) // as above
		}
	}
	if form == nil {
		return "A text without a schema."
	}
	var data any
	_ = json.Unmarshal(objectIn(c.last()), &data) // without data, the answer has only fixed sentences
	text, err := json.Marshal((&writer{data}).value(form, "", 0))
	if err != nil {
		panic(err) // strings always marshal
	}
	return string(text)
}

// objectIn returns the first line of a message that is a JSON object.
func objectIn(message string) []byte {
	for line := range strings.Lines(message) {
		if line = strings.TrimSpace(line); strings.HasPrefix(line, "{") && json.Valid([]byte(line)) {
			return []byte(line)
		}
	}
	return nil
}

// writer generates values for a schema from data.
type writer struct{ data any }

// value returns a value that satisfies form. name is the name of the property, i its index in the enclosing array.
func (w *writer) value(form *schema, name string, i int) any {
	if form == nil {
		return nil
	}
	switch form.Type {
	case "object":
		object := map[string]any{}
		for key, of := range form.Properties {
			object[key] = w.value(of, key, i)
		}
		return object
	case "array":
		list := []any{}
		for n := range min(w.items(form.Items), 3) {
			list = append(list, w.value(form.Items, name, n))
		}
		return list
	case "string":
		if len(form.Enum) > 0 {
			return form.Enum[i%len(form.Enum)]
		}
		return w.words(name, i)
	}
	return nil
}

// items returns how many objects in arrays of the data share a property with form.
func (w *writer) items(form *schema) int {
	if form == nil {
		return 0
	}
	most := 0
	for name := range form.Properties {
		most = max(most, len(find(w.data, name, true)))
	}
	return most
}

// find returns the values of a property: of objects in arrays if inArray is set, else of other objects.
func find(data any, name string, inArray bool) (found []string) {
	switch v := data.(type) {
	case []any:
		for _, each := range v {
			if object, ok := each.(map[string]any); ok && inArray {
				if text, ok := object[name].(string); ok {
					found = append(found, text)
				}
			}
		}
	case map[string]any:
		if text, ok := v[name].(string); ok && !inArray && text != "" {
			return []string{text}
		}
		keys := make([]string, 0, len(v))
		for key := range v {
			keys = append(keys, key)
		}
		slices.Sort(keys)
		for _, key := range keys {
			found = append(found, find(v[key], name, inArray)...)
		}
	}
	return found
}

// sayings are the values of properties that the data don't have.
var sayings = map[string]string{
	"rationale":      "Readers see this before anything else, so it decides whether they open the link.",
	"audienceFit":    "Readers who know the subject find what they expect. Say in the first words who it is for.",
	"toneAssessment": "Calm and factual, with short sentences. The description could name the benefit sooner.",
	"title":          "A title that says what the page is for",
	"description":    "One plain sentence that says what there is on the page, and whom it helps.",
}

// words returns the value of a property: from the data if they have the name, else a fixed sentence.
func (w *writer) words(name string, i int) string {
	if texts := find(w.data, name, true); i < len(texts) && sayings[name] == "" {
		return texts[i]
	}
	most := map[string]int{"title": 60, "description": 160}[name]
	if texts := find(w.data, name, false); len(texts) > 0 && most > 0 {
		if text := []rune(texts[0]); len(text) <= most {
			return texts[0]
		}
	}
	return cmp.Or(sayings[name], "A few words about "+name+".")
}
