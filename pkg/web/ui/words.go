package ui

import (
	"cmp"
	"strconv"

	"masthead/pkg/humanize"
)

// needNames are the words for what designs need, by the names of the API.
var needNames = map[string]string{
	"picture": "a picture", "icon": "an icon", "author": "an author", "date": "a date", "quote": "a quotation",
	"version": "a version", "crumb": "a path of sections", "repository": "a code repository",
	"portrait": "a picture of the author", "screenshot": "a screenshot", "session": "a terminal session",
	"event": "the date of an event", "figure": "a number in the title", "code": "code",
	"product": "a price, a rating or a recipe", "episode": "an episode or a video",
	"description": "a description", "title": "a title", "siteName": "a site name",
}

// Needs returns what a design needs in words, such as "a title and a picture".
func Needs(names []string) string {
	words := make([]string, len(names))
	for i, name := range names {
		words[i] = cmp.Or(needNames[name], name)
	}
	return humanize.And(words)
}

// Number formats a number that isn't negative for people: 1,000.
func Number(n int) string {
	digits := strconv.Itoa(n)
	for at := len(digits) - 3; at > 0; at -= 3 {
		digits = digits[:at] + "," + digits[at:]
	}
	return digits
}

// Sections are the sections of the dashboard that people who are signed in see on its pages and in the playground.
var Sections = []Link{
	{URL: "/dashboard", Text: "Overview"}, {URL: "/dashboard/images", Text: "Images"},
	{URL: "/dashboard/audits", Text: "Audits"}, {URL: "/dashboard/projects", Text: "Projects"},
	{URL: "/dashboard/designs", Text: "Designs"}, {URL: "/dashboard/keys", Text: "API"},
	{URL: "/dashboard/usage", Text: "Usage"},
}
