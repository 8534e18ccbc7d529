package auth_test

import (
	"encoding/base64"
	"encoding/hex"
	"strings"
	"testing"

	"masthead/pkg/auth"
)

func TestConfig_faultNamesTheVariable(t *testing.T) {
	random := []byte("\x9f\x12\xe4\x83\x5a\x0b\xc7\x71\x3e\xd8\x46\xaf\x20\x99\xf5\x6c" +
		"\x01\xb2\x7d\xe8\x54\x33\xca\x1d\x8e\x67\xf0\x2b\xa4\x59\xdc\x16")
	for name, c := range map[string]struct {
		cfg  auth.Config
		want string // the variable, or "" for no fault
	}{
		"nothing set":          {auth.Config{}, ""},
		"base64":               {auth.Config{Secret: base64.StdEncoding.EncodeToString(random)}, ""},
		"hexadecimal":          {auth.Config{Secret: hex.EncodeToString(random)}, ""},
		"raw":                  {auth.Config{Secret: string(random)}, ""},
		"both":                 {auth.Config{Secret: secret, PreviousSecret: hex.EncodeToString(random)}, ""},
		"open":                 {auth.Config{Registration: "open"}, ""},
		"closed":               {auth.Config{Registration: "closed"}, ""},
		"32 hex digits":        {auth.Config{Secret: hex.EncodeToString(random[:16])}, ""},
		"62 hex digits":        {auth.Config{Secret: hex.EncodeToString(random[:31])}, ""},
		"white space counts":   {auth.Config{Secret: " " + secret[:30] + "\n"}, ""},
		"letters of two bytes": {auth.Config{Secret: "äöüßéèñçøåþðæœłş"}, ""},
		"short":                {auth.Config{Secret: secret[:31]}, "MASTHEAD_JWT_SECRET is too short, with 31 bytes:"},
		"31 hex digits":        {auth.Config{Secret: hex.EncodeToString(random[:16])[:31]}, "MASTHEAD_JWT_SECRET is too short, with 31 bytes:"},
		"one letter":           {auth.Config{Secret: strings.Repeat("x", 64)}, "MASTHEAD_JWT_SECRET"},
		"a default":            {auth.Config{Secret: "please-change-me-please-change-me!"}, "MASTHEAD_JWT_SECRET"},
		"a typed row":          {auth.Config{Secret: "0123456789abcdefghijklmnopqrstuvwxyz"}, "MASTHEAD_JWT_SECRET"},
		"a short previous one": {auth.Config{Secret: secret, PreviousSecret: "short"}, "MASTHEAD_JWT_SECRET_PREVIOUS"},
		"16 bytes twice":       {auth.Config{Secret: strings.Repeat(hex.EncodeToString(random[:16]), 2)}, "MASTHEAD_JWT_SECRET repeats itself:"},
		"a phrase, cut off":    {auth.Config{Secret: "Xk3!pQ9-Xk3!pQ9-Xk3!pQ9-Xk3!pQ9-Xk3!p"}, "MASTHEAD_JWT_SECRET repeats itself:"},
		"few characters":       {auth.Config{Secret: "aabbccddeeabcdeabbcaaadeccbaeedcbadab" + "zz"}, "MASTHEAD_JWT_SECRET repeats a few characters:"},
		"registration":         {auth.Config{Registration: "Closed"}, "MASTHEAD_REGISTRATION"},
	} {
		err := c.cfg.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want+" ")) {
			t.Errorf("%s: got %v, want a fault of %q", name, err, c.want)
		}
		if err != nil && c.cfg.Secret != "" && strings.Contains(err.Error(), c.cfg.Secret) {
			t.Errorf("%s: the sentence shows the secret: %v", name, err)
		}
	}
}

func TestNew_missingSecretIsRefused(t *testing.T) {
	for _, cfg := range []auth.Config{{}, {Secret: "short"}} {
		if _, err := auth.New(cfg, auth.Deps{}); err == nil || !strings.Contains(err.Error(), "MASTHEAD_JWT_SECRET") {
			t.Errorf("%+v: got %v, want a refusal that names the variable", cfg, err)
		}
	}
}
