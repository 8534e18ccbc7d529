package admin

import "testing"

func TestReasonOf(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"":               "",
		"something else": "something else",
		"panic: runtime error: index out of range":                           "A fault of the program: the log says where.",
		"It answered with status 410.":                                       "It answered with status 410.",
		"the AI provider failed: status 429":                                 "The other side answered 429.",
		"the AI provider took too long: more than 25s":                       "It took too long.",
		"reach the mail server: dial tcp: lookup mail.invalid: no such host": "The host name doesn’t exist.",
		"reach the mail server: authentication failed":                       "The mail server couldn’t be reached.",
		"send a mail: 550 no such user":                                      "The mail server refused it with 550.",
		"store: context deadline exceeded":                                   "It took too long.",
		"write export x: write /data/x: no space left on device":             "The disk is full.",
		"the job was canceled":                                               "It was canceled.",
	} {
		if got := reasonOf(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}
