// Package wording says what of a page's title a card shows, where its design shows a part of it elsewhere: the version
// of a release, the show and number of an episode, who made a work. It only leaves out; of a title that says nothing
// else, a release gets “What’s new”.
package wording
