package checks

import (
	"slices"
	"testing"

	"masthead/pkg/audit/rule"
	"masthead/pkg/platform"
)

// TestLimits_areThoseOfThePlatforms holds the numbers of rules to those of the platforms' data file, so that a change
// of one shows where the other stands.
func TestLimits_areThoseOfThePlatforms(t *testing.T) {
	of := map[string]platform.Platform{}
	for _, p := range platform.All() {
		of[p.ID] = p
	}
	x, facebook, whatsApp, linkedIn := of["x"], of["facebook"], of["whatsapp"], of["linkedin"]
	cases := []struct {
		name      string
		got, want float64
	}{
		{"title of X", titleX, float64(x.Title.Columns)},
		{"description of X", descriptionX, float64(x.Description.Columns)},
		{"file of X", bytesX, x.Picture.Bytes.Value},
		{"largest side of X", cardMost, x.Picture.MostSide.Value},
		{"least summary of X", cardSummary, float64(x.Small.LeastWidth)},
		{"least width of a large card of X", cardLeastWidth, float64(x.Large.LeastWidth)},
		{"least height of a large card of X", cardLeastHeight, float64(x.Large.LeastHeight)},
		{"large width of Facebook", largeWidth, float64(facebook.Large.LeastWidth)},
		{"large height of Facebook", largeHeight, float64(facebook.Large.LeastHeight)},
		{"least side of Facebook", leastSide, float64(facebook.Small.LeastWidth)},
		{"file of Facebook", bytesMost, facebook.Picture.Bytes.Value},
		{"file of LinkedIn", bytesX, linkedIn.Picture.Bytes.Value},
		{"file of WhatsApp", bytesChat, whatsApp.Picture.Bytes.Value},
		{"safe file of WhatsApp", bytesBest, whatsApp.Picture.SafeBytes.Value},
		{"head of WhatsApp", rule.HeaderRead, whatsApp.ReadBytes.Value},
		{"ratio of WhatsApp", ratioMost, whatsApp.Picture.MostRatio.Value},
		{"chat apps' description", descriptionMost, float64(of["slack"].Description.Columns)},
	}
	for _, c := range cases {
		if c.got != c.want {
			t.Errorf("%s: the rules have %v, platforms.json has %v", c.name, c.got, c.want)
		}
	}
	for _, p := range []platform.Platform{x, facebook, linkedIn, whatsApp} {
		if r := float64(p.Large.Width) / float64(p.Large.Height); r < ratioLow || r > ratioHigh {
			t.Errorf("%s: large frame of %.2f:1, and the rules take %v to %v for right", p.ID, r, ratioLow, ratioHigh)
		}
	}
}

func TestCrawlers_areThoseOfThePlatforms(t *testing.T) {
	want := slices.DeleteFunc(platform.Tokens(), func(token string) bool { return token == "Twitterbot" })
	got := slices.Clone(previewers[:])
	slices.Sort(want)
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("crawlers of og-crawlers-allowed: got %v, want those of platforms.json, %v", got, want)
	}
}
