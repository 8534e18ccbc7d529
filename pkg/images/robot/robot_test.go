package robot

import "testing"

func TestRobots_onlyStored(t *testing.T) {
	t.Parallel()
	r := New(Stored, []string{"Slackbot", " OurPreviewBot"})
	for agent, want := range map[string]bool{
		"": false,
		"Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)": true,
		"GoogleOther": true,
		"Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)":                                true,
		"Mozilla/5.0 (compatible; Yahoo! Slurp; http://help.yahoo.com/help/us/ysearch/slurp)":                    true,
		"Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko); compatible; GPTBot/1.3; +https://openai.com/gptbot": true,
		"Mozilla/5.0 (compatible; ClaudeBot/1.0; +claudebot@anthropic.com)":                                      true,
		"meta-externalagent/1.1": true,
		"ia_archiver":            true,
		"CCBot/2.0":              true,

		"Twitterbot/1.0": false,
		"facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)": false,
		"Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)":                false,
		"Mozilla/5.0 (compatible; Pinterestbot/1.0; +https://www.pinterest.com/)":   false,
		"OurPreviewBot/2": false,
		"Mozilla/5.0 (Windows NT 5.1) Firefox/11.0 (via ggpht.com GoogleImageProxy)":       false,
		"Mozilla/5.0 (Linux; Android 9; CUBOT P40) AppleWebKit/537.36 Chrome/120.0 Safari": false,
		"Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari":       false,
		"curl/8.5.0": false,
	} {
		if got := r.OnlyStored(agent); got != want {
			t.Errorf("%s: got %v, want %v", agent, got, want)
		}
		if New("", nil).OnlyStored(agent) {
			t.Errorf("%s: got true without the setting", agent)
		}
	}
	if Validate("all") == nil {
		t.Error("an unknown value was accepted")
	}
}
