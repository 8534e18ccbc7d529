package admin

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"masthead/pkg/humanize"
	"masthead/pkg/web/ui"
)

// kindWords say what the jobs of each kind do.
var kindWords = map[string]string{
	"analysis":        "Analysis of an audit",
	"batch entry":     "Image of a batch",
	"crawlers":        "A page read as crawlers do",
	"domains":         "Check of a project’s domains",
	"export":          "Export of an account’s data",
	"figures":         "Count of the stored images",
	"mail":            "Email",
	"outdated_images": "Marking of images to redraw",
	"site":            "Audit of a site",
	"stripe":          "Payment event of Stripe",
	"watch":           "Audit of a watched page",
	"webhook":         "Delivery to a webhook",

	"event:notifications": "Notifications of an event",

	"design_deletion":  "Deletion of a design",
	"image_deletion":   "Deletion of an image",
	"report_deletion":  "Deletion of a report",
	"watch_deletion":   "Deletion of a watched page",
	"webhook_deletion": "Deletion of a webhook",
}

// kindName is what people call a kind of jobs.
func kindName(kind string) string { return cmp.Or(kindWords[kind], humanize.Capital(kind)) }

// kindChoices are the kinds, by their names.
func kindChoices() []ui.Option {
	var options []ui.Option
	for kind, name := range kindWords {
		options = append(options, ui.Option{Value: kind, Text: name})
	}
	slices.SortFunc(options, func(a, b ui.Option) int { return strings.Compare(a.Text, b.Text) })
	return options
}

// reasonWords explain errors by what they contain, the first that fits. $1 is the first group of the pattern.
var reasonWords = []struct {
	of    *regexp.Regexp
	words string
}{
	{regexp.MustCompile(`^panic: `), "A fault of the program: the log says where."},
	{regexp.MustCompile(`job was canceled`), "It was canceled."},
	{regexp.MustCompile(`(?i)deadline exceeded|timed? ?out|took too long`), "It took too long."},
	{regexp.MustCompile(`no such host`), "The host name doesn’t exist."},
	{regexp.MustCompile(`connection refused`), "The other side refused the connection."},
	{regexp.MustCompile(`connection reset|broken pipe|\bEOF\b`), "The connection broke off."},
	{regexp.MustCompile(`x509|certificate|tls: `), "The certificate of the other side isn’t valid."},
	{regexp.MustCompile(`no space left`), "The disk is full."},
	{regexp.MustCompile(`database is locked|SQLITE_BUSY|too many clients`), "The database was busy."},
	{regexp.MustCompile(`(?i)(?:answered|status|HTTP)(?: code)?:? (\d{3})\b`), "The other side answered $1."},
	{regexp.MustCompile(`send a mail: (\d{3})\b`), "The mail server refused it with $1."},
	{regexp.MustCompile(`reach the mail server`), "The mail server couldn’t be reached."},
}

// sentence is an error that is written for people.
var sentence = regexp.MustCompile(`^[A-Z][^:]*\.$`)

// reasonOf explains an error. Errors without words of ours explain themselves.
func reasonOf(text string) string {
	if sentence.MatchString(text) {
		return text
	}
	for _, r := range reasonWords {
		if found := r.of.FindStringSubmatchIndex(text); found != nil {
			return string(r.of.ExpandString(nil, r.words, text, found))
		}
	}
	return text
}
