package page

import "testing"

func TestWithoutEscapes_decodesOnlyWhatNobodyWritesAbout(t *testing.T) {
	for in, want := range map[string]string{
		"":                             "",
		"Fish & chips":                 "Fish & chips",
		"Fish &; chips; more":          "Fish &; chips; more",
		"How to write &amp; in HTML":   "How to write &amp; in HTML",
		"The &lt;b&gt; element":        "The &lt;b&gt; element",
		"&copy; 2026":                  "&copy; 2026",
		"Caf&eacute; in Z&uuml;rich":   "Café in Zürich",
		"a&nbsp;b &nbsp; c":            "a b c",
		"He said &quot;no&quot;":       `He said "no"`,
		"It&#39;s &#8220;fine&#8221;":  "It's “fine”",
		"می&zwnj;شود":                  "می\u200cشود",
		"Caf&amp;eacute; &amp;amp; co": "Café &amp;amp; co",
		"&#38;lt; and &#60;":           "&#38;lt; and &#60;",
		"&nonsense; &#x; &#xffffff;":   "&nonsense; &#x; &#xffffff;",
	} {
		if got := WithoutEscapes(in); got != want {
			t.Errorf("%q became %q, want %q", in, got, want)
		}
	}
}
