package ai

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"time"
	"unicode"
)

// Config configures the provider. The zero value turns AI off.
type Config struct {
	// BaseURL is the base of the API's addresses, before "/images/generations".
	BaseURL string `name:"ai-base-url" env:"MASTHEAD_AI_BASE_URL" placeholder:"URL" help:"AI provider with an OpenAI-compatible API, such as https://api.openai.com/v1. If empty, AI is off."`
	APIKey  string `name:"ai-api-key" env:"MASTHEAD_AI_API_KEY" placeholder:"…" help:"API key of the AI provider, if it needs one."`
	// The provider's model names. An empty one is off.
	ImageModelStandard string `name:"ai-image-model-standard" env:"MASTHEAD_AI_IMAGE_MODEL_STANDARD" placeholder:"NAME" help:"The provider's image model for ai.model standard."`
	ImageModelPro      string `name:"ai-image-model-pro" env:"MASTHEAD_AI_IMAGE_MODEL_PRO" placeholder:"NAME" help:"The provider's image model for ai.model pro."`
	TextModel          string `name:"ai-text-model" env:"MASTHEAD_AI_TEXT_MODEL" placeholder:"NAME" help:"The provider's text model, which analyzes audits."`
	// PictureTime is the timeout of one attempt at a picture; 0 means 25 s.
	PictureTime time.Duration `name:"ai-picture-time" env:"MASTHEAD_AI_PICTURE_TIME" default:"25s" help:"Timeout of the provider for a picture, at most 25s."`
	// The ceiling of spending per calendar month (UTC) and the price of each request, all in cents of one currency. A
	// ceiling of 0 means the default; requests with price 0 aren't counted.
	Ceiling       int64 `name:"ai-ceiling" env:"MASTHEAD_AI_CEILING" default:"100000" help:"Cents that may be spent on AI per calendar month (UTC). Above it, AI is off until the next month."`
	PriceText     int64 `name:"ai-price-text" env:"MASTHEAD_AI_PRICE_TEXT" default:"1" help:"Price of a text, in cents; 0 for a provider of your own."`
	PriceStandard int64 `name:"ai-price-standard" env:"MASTHEAD_AI_PRICE_STANDARD" default:"5" help:"Price of a picture of ai.model standard, in cents."`
	PricePro      int64 `name:"ai-price-pro" env:"MASTHEAD_AI_PRICE_PRO" default:"20" help:"Price of a picture of ai.model pro, in cents."`
}

// Limits of the spending settings, in cents.
const (
	usualCeiling = 100_000
	maxCeiling   = 1_000_000_000
	maxPrice     = 10_000
)

func (c Config) ceiling() int64 {
	return cmp.Or(c.Ceiling, usualCeiling)
}

// maxPictureTime is the longest timeout that fits into the time limit of requests, and the default.
const maxPictureTime = 25 * time.Second

func (c Config) pictureTime() time.Duration {
	return cmp.Or(c.PictureTime, maxPictureTime)
}

// maxSetting is the maximum length of a setting in bytes.
const maxSetting = 2048

// Validate reports all invalid settings by variable name.
func (c Config) Validate() error {
	var faults []error
	others := map[string]string{
		"MASTHEAD_AI_API_KEY": c.APIKey, "MASTHEAD_AI_IMAGE_MODEL_STANDARD": c.ImageModelStandard,
		"MASTHEAD_AI_IMAGE_MODEL_PRO": c.ImageModelPro, "MASTHEAD_AI_TEXT_MODEL": c.TextModel,
	}
	any := false
	for _, name := range []string{"MASTHEAD_AI_API_KEY", "MASTHEAD_AI_IMAGE_MODEL_STANDARD",
		"MASTHEAD_AI_IMAGE_MODEL_PRO", "MASTHEAD_AI_TEXT_MODEL"} {
		value := others[name]
		any = any || value != ""
		if len(value) > maxSetting || strings.ContainsFunc(value, func(r rune) bool {
			return unicode.IsSpace(r) || !unicode.IsPrint(r)
		}) {
			faults = append(faults, fmt.Errorf("%s must be one word of at most %d bytes", name, maxSetting))
		}
	}
	if c.PictureTime < 0 || c.PictureTime > maxPictureTime {
		faults = append(faults, fmt.Errorf("MASTHEAD_AI_PICTURE_TIME must be up to %v, not %v",
			maxPictureTime, c.PictureTime))
	}
	if c.Ceiling < 0 || c.Ceiling > maxCeiling {
		faults = append(faults, fmt.Errorf("MASTHEAD_AI_CEILING must be from 1 to %d cents, not %d", maxCeiling, c.Ceiling))
	}
	for _, price := range []struct {
		name  string
		cents int64
	}{{"TEXT", c.PriceText}, {"STANDARD", c.PriceStandard}, {"PRO", c.PricePro}} {
		if price.cents < 0 || price.cents > maxPrice {
			faults = append(faults,
				fmt.Errorf("MASTHEAD_AI_PRICE_%s must be from 0 to %d cents, not %d", price.name, maxPrice, price.cents))
		}
	}
	switch {
	case c.BaseURL != "":
		if err := checkBaseURL(c.BaseURL); err != nil {
			faults = append(faults, err)
		}
		if c.ImageModelStandard == "" && c.ImageModelPro == "" && c.TextModel == "" {
			faults = append(faults, errors.New("MASTHEAD_AI_BASE_URL is set, so MASTHEAD_AI_IMAGE_MODEL_STANDARD "+
				"must name one of the provider's models"))
		}
	case any:
		faults = append(faults, errors.New("MASTHEAD_AI_BASE_URL is missing: the other settings of AI say what it offers"))
	}
	return errors.Join(faults...)
}

func checkBaseURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || len(text) > maxSetting || u.Scheme != "http" && u.Scheme != "https" || u.Hostname() == "" {
		return errors.New("MASTHEAD_AI_BASE_URL must be an address such as https://api.openai.com/v1")
	}
	if u.User != nil || u.RawQuery != "" || u.ForceQuery || u.Fragment != "" {
		return errors.New("MASTHEAD_AI_BASE_URL must be an address without password, query and fragment; " +
			"the key is MASTHEAD_AI_API_KEY")
	}
	return nil
}
