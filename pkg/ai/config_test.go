package ai_test

import (
	"strings"
	"testing"
	"time"

	"masthead/pkg/ai"
)

func TestConfig_faultsNameTheVariable(t *testing.T) {
	const base = "https://api.example/v1"
	for name, c := range map[string]struct {
		cfg  ai.Config
		want string // "" for none
	}{
		"none":            {ai.Config{}, ""},
		"without a key":   {ai.Config{BaseURL: "http://10.0.0.7:8080/v1", ImageModelStandard: "flux"}, ""},
		"whole":           {ai.Config{base, "sk-1", "org/model:3.5", "p", "t", time.Second, 1, 0, 4, 9}, ""},
		"key alone":       {ai.Config{APIKey: "sk-1"}, "MASTHEAD_AI_BASE_URL is missing"},
		"model alone":     {ai.Config{ImageModelPro: "m"}, "MASTHEAD_AI_BASE_URL is missing"},
		"no model":        {ai.Config{BaseURL: base}, "MASTHEAD_AI_IMAGE_MODEL_STANDARD"},
		"no address":      {ai.Config{BaseURL: "api.example", ImageModelStandard: "m"}, "MASTHEAD_AI_BASE_URL must be"},
		"other scheme":    {ai.Config{BaseURL: "file:///etc/passwd", ImageModelStandard: "m"}, "MASTHEAD_AI_BASE_URL must be"},
		"password":        {ai.Config{BaseURL: "https://me:secret@api.example", ImageModelStandard: "m"}, "without password"},
		"query":           {ai.Config{BaseURL: base + "?a=b", ImageModelStandard: "m"}, "without password"},
		"key with a line": {ai.Config{BaseURL: base, APIKey: "sk-1\nX: y", ImageModelStandard: "m"}, "MASTHEAD_AI_API_KEY must"},
		"two words":       {ai.Config{BaseURL: base, ImageModelStandard: "a b"}, "MASTHEAD_AI_IMAGE_MODEL_STANDARD must"},
		"slow":            {ai.Config{PictureTime: time.Minute}, "MASTHEAD_AI_PICTURE_TIME"},
		"ceiling":         {ai.Config{Ceiling: -1}, "MASTHEAD_AI_CEILING"},
		"price":           {ai.Config{PricePro: 10_001}, "MASTHEAD_AI_PRICE_PRO"},
		"long": {ai.Config{BaseURL: base, TextModel: strings.Repeat("x", 3000), ImageModelStandard: "m"},
			"MASTHEAD_AI_TEXT_MODEL must"},
	} {
		err := c.cfg.Validate()
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: got %v, want %q", name, err, c.want)
		}
		if err != nil && (strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "sk-1")) {
			t.Errorf("%s: the error tells the secret: %v", name, err)
		}
	}
}
