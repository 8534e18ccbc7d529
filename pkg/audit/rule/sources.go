package rule

import "slices"

// Source is the short name of the source of a rule or a number.
type Source string

// The sources.
const (
	FB   Source = "FB"
	X    Source = "X"
	WA   Source = "WA"
	LI   Source = "LI"
	DC   Source = "DC"
	SL   Source = "SL"
	AP   Source = "AP"
	OGP  Source = "OGP"
	GS   Source = "GS"
	LH   Source = "LH"
	HTML Source = "HTML"
	IND  Source = "IND"
)

// Reference describes a [Source].
type Reference struct {
	Source Source
	// Name is the publication, URL its address, or "" if there is none.
	Name, URL string
	// Says is what the rules use from it.
	Says string
}

// References are all sources. What a platform doesn't publish (Says tells) determines at most a part of a rule's
// points, never an error.
var References = [...]Reference{
	{FB, "Meta, Images in Link Shares", "https://developers.facebook.com/docs/sharing/webmasters/images/",
		"least 200x200, at most 8 MB; large from 600x315, best 1200x630 at 1.91:1; declared width and height let the " +
			"first share show the picture"},
	{X, "X, Cards markup", "https://developer.x.com/en/docs/x-for-websites/cards/overview/markup",
		"title 70, description 200, alternative text 420 characters; picture under 5 MB, JPG, PNG, WEBP or GIF (first " +
			"frame), no SVG; summary 144x144 to 4096x4096, large 300x157 to 4096x4096; its own tags before Open Graph"},
	{WA, "WhatsApp, Link previews", "https://developers.facebook.com/docs/whatsapp/link-previews/",
		"tags inside the head and within the first 300 KB; og:title, og:description and og:url not empty; picture at most " +
			"600 KB, 300 px wide or more, at most 4:1"},
	{LI, "LinkedIn Help, Make your website shareable", "https://www.linkedin.com/help/linkedin/answer/a521928",
		"1200x627 at 1.91:1, at most 5 MB, JPG, PNG or GIF; narrower than 401 px is a thumbnail"},
	{DC, "Discord, as observed", "", "not published: title near 256, description near 350 characters; " +
		"summary_large_image, or a wide picture, gives the large layout"},
	{SL, "Slack, Robots", "https://api.slack.com/robots",
		"the crawler is Slackbot-LinkExpanding; reads oEmbed, X, Open Graph and plain tags. As observed: description near " +
			"300 characters"},
	{AP, "Apple, TN3156: Create rich previews for Messages",
		"https://developer.apple.com/documentation/technotes/tn3156-create-rich-previews-for-messages",
		"og:title, og:image, then a touch icon; scripts are not run"},
	{OGP, "The Open Graph protocol", "https://ogp.me/",
		"four required tags, arrays, structured properties, the first tag wins, og:locale is en_US unless said, " +
			"og:image:alt belongs to og:image"},
	{GS, "Google Search Central", "https://developers.google.com/search/docs",
		"robots tags and headers, canonical addresses, localized versions, favicon (square, at least 8x8, better 48x48), " +
			"structured data, dates"},
	{LH, "Lighthouse, SEO audits", "https://developer.chrome.com/docs/lighthouse/seo",
		"title, description, status, crawlable, robots.txt, hreflang, canonical"},
	{HTML, "HTML Living Standard", "https://html.spec.whatwg.org/multipage/",
		"encoding within the first 1024 bytes, content of the head, headings, lang"},
	{IND, "Convention of the industry", "", "no platform promises it: title 60, description 155 to 160 characters, one " +
		"h1. Such rules are never errors"},
}

// categoryHelp is the documentation for rules without a published source, in the order of [Categories].
var categoryHelp = [len(Categories)]Source{OGP, X, GS}

// HelpURI returns the address of the documentation for the rule: that of its first published source, otherwise that of
// its category.
func (r *Rule) HelpURI() string {
	for _, s := range append(slices.Clip(r.Sources), categoryHelp[r.Category.index()]) {
		for i := range References {
			if References[i].Source == s && References[i].URL != "" {
				return References[i].URL
			}
		}
	}
	return ""
}

// HelpURI returns the [Rule.HelpURI] of the rule with an ID, or "".
func (s *Set) HelpURI(id string) string {
	if i, ok := s.at[id]; ok {
		return s.byID[i].HelpURI()
	}
	return ""
}
