package mail

import (
	"fmt"
	"strconv"
	"time"

	"masthead/pkg/cleantext"
	"masthead/pkg/humanize"
)

// Kind is what a mail is about.
type Kind string

// The kinds of mail. The comments name the fields of [Data] that each needs.
const (
	ConfirmAddress  Kind = "confirm_address"
	ResetPassword   Kind = "reset_password"
	SignInLink      Kind = "sign_in_link"
	NewAddress      Kind = "new_address"      // Change: to the new address
	AddressChange   Kind = "address_change"   // Change, Address: to the present one
	AddressChanged  Kind = "address_changed"  // Address, At: to the previous one
	NewSignIn       Kind = "new_sign_in"      // Place, Device, At
	QuotaReached    Kind = "quota_reached"    // Resource, Month, Percent, Used, Limit
	PlanChanged     Kind = "plan_changed"     // Plan, PreviousPlan; Lines: what no longer fits
	PaymentFailed   Kind = "payment_failed"   // Plan; Until: when the plan ends unless it is paid; Page: where
	AIDisabled      Kind = "ai_disabled"      // Project; Reason
	WebhookDisabled Kind = "webhook_disabled" // URL; Reason
	WatchWorse      Kind = "watch_worse"      // URL, Lines, Recovered; Score, PreviousScore; Path: the report
	ImageFailed     Kind = "image_failed"     // URL; Project, Reason
	SiteCompleted   Kind = "site_completed"   // URL, Lines, Path; Score, or Reason if it failed
	ExportCompleted Kind = "export_completed" // Path; Until, or Reason if it failed
	AccountDeleted  Kind = "account_deleted"  // At, Until
	Digest          Kind = "digest"           // About, Lines: made when it is sent, see digest.go
)

// Data are the facts of a mail; each kind needs some of them. Texts from outside are cleaned and escaped here.
type Data struct {
	Place    string    `json:"place,omitempty"`  // such as a network address
	Device   string    `json:"device,omitempty"` // such as a browser
	At       time.Time `json:"at,omitzero"`
	Until    time.Time `json:"until,omitzero"`
	Resource string    `json:"resource,omitempty"` // of a quota, such as "AI images"
	Month    string    `json:"month,omitempty"`    // such as 2026-11
	Percent  int       `json:"percent,omitempty"`  // 80 or 100
	Used     int64     `json:"used,omitempty"`
	Limit    int64     `json:"limit,omitempty"`

	Address string `json:"address,omitempty"` // an account's new email address
	Change  string `json:"change,omitempty"`  // the ID of a change of the address, for the mail's link

	Plan         string `json:"plan,omitempty"` // such as "plus"
	PreviousPlan string `json:"previousPlan,omitempty"`
	Project      string `json:"project,omitempty"` // its name
	Reason       string `json:"reason,omitempty"`  // a sentence
	URL          string `json:"url,omitempty"`     // of a watched page or a webhook; it is shown, not linked

	Score         float64 `json:"score,omitempty"` // 0 to 100
	PreviousScore float64 `json:"previousScore,omitempty"`
	Recovered     bool    `json:"recovered,omitempty"` // the page is better, not worse

	About string   `json:"about,omitempty"` // what a digest is about, such as "3 more emails about watched pages"
	Lines []string `json:"lines,omitempty"` // 20 are shown
	// Path is a page of ours that the mail's button leads to, such as /audit/abc; "" for no button.
	Path string `json:"path,omitempty"`
	// taken: the new address belongs to another account.
	taken bool
	// Page is an address elsewhere that the button leads to instead, such as that of an invoice at Stripe.
	Page string `json:"page,omitempty"`
}

// spec says how a kind of mail is treated and what it says.
type spec struct {
	// security mails are always sent. Others are sent only to addresses that accept mail, and can be unsubscribed from.
	security bool
	// quiet mails are only sent to accounts that asked for them.
	quiet bool
	// topic is what several mails of the kind are about, in a digest.
	topic string
	// link is the path of the page that a one-time link leads to; "" for a mail without one.
	link string
	// elsewhere mails are about an account, and sent to an address that it doesn't have, or no longer.
	elsewhere bool
	says      func(d Data) content
}

// content is a mail in words. One template makes text of it, another HTML.
type content struct {
	Subject    string
	Paragraphs []string
	Facts      []fact
	Lines      []string
	Button     string // its label; "" for none
	Note       string // below the button
}

type fact struct{ Label, Value string }

// Bounds of the texts in a mail, in characters, and of the lines of a list. They keep it far below 30 KB.
const (
	maxText  = 200
	maxLine  = 120
	maxLines = 20
)

// changePage is the page that confirms a change of the address.
const changePage = "/email/change"

const ignore = "If this wasn't you, ignore this email: nothing changes until the button on the page is pressed."

// kinds is the one table of all kinds of mail.
var kinds = map[Kind]spec{
	ConfirmAddress: {security: true, link: "/confirm", says: func(Data) content {
		return content{
			Subject:    "Confirm your email address",
			Paragraphs: []string{"Confirm that this is your address, so that we can send you other emails."},
			Button:     "Confirm the address",
			Note:       "The link works once and for 7 days. " + ignore,
		}
	}},
	ResetPassword: {security: true, link: "/reset", says: func(Data) content {
		return content{
			Subject:    "Reset your password",
			Paragraphs: []string{"You can now set a new password. That ends all sessions of your account."},
			Button:     "Set a new password",
			Note:       "The link works once and for an hour. " + ignore,
		}
	}},
	SignInLink: {security: true, link: "/sign-in/link", says: func(Data) content {
		return content{
			Subject:    "Your link to sign in",
			Paragraphs: []string{"Sign in with this link instead of your password."},
			Button:     "Sign in",
			Note:       "The link works once and for 30 minutes. " + ignore,
		}
	}},
	NewAddress: {security: true, link: changePage, elsewhere: true, says: func(d Data) content {
		if d.taken {
			return content{
				Subject: "This address already has an account",
				Paragraphs: []string{"This address was entered for another account. It has an account already, so " +
					"that isn't possible, and nothing changes."},
				Note: "If this was you, sign in to the account with this address, or delete it first.",
			}
		}
		return content{
			Subject:    "Confirm your new email address",
			Paragraphs: []string{"Confirm that this is your address, so that your account gets it."},
			Button:     "Confirm the address",
			Note:       "The link works once and for 7 days. " + ignore,
		}
	}},
	AddressChange: {security: true, link: changePage, says: func(d Data) content {
		return content{
			Subject:    "Confirm the change of your email address",
			Paragraphs: []string{"A change of your account's address was requested, with your password."},
			Facts:      []fact{{"New address", d.Address}},
			Button:     "Confirm the change",
			Note: "The link works once and for 7 days. If this wasn't you, don't use it, and change your password now: " +
				"that cancels the change.",
		}
	}},
	AddressChanged: {security: true, elsewhere: true, says: func(d Data) content {
		return content{
			Subject:    "Your email address was changed",
			Paragraphs: []string{"Your account has another address, and we send nothing to this one any more."},
			Facts:      []fact{{"New address", d.Address}, {"Changed", moment(d.At)}},
			Note:       "If this wasn't you, ask the operator of this service for help at once.",
		}
	}},
	NewSignIn: {security: true, topic: "sign-ins from new places", says: func(d Data) content {
		return content{
			Subject:    "New sign-in to your account",
			Paragraphs: []string{"Your account was signed in to from a place that we haven't seen before."},
			Facts:      []fact{{"Time", moment(d.At)}, {"From", d.Place}, {"Device", d.Device}},
			Note:       "If this wasn't you, change your password now: that ends all other sessions.",
		}
	}},
	QuotaReached: {topic: "quotas", says: func(d Data) content {
		c := content{
			Subject:    fmt.Sprintf("You have used %d%% of your %s", d.Percent, d.Resource),
			Paragraphs: []string{"At 100%, everything goes on without AI until the month ends."},
			Facts: []fact{{"Used", fmt.Sprintf("%d of %d %s", d.Used, d.Limit, d.Resource)},
				{"Month", monthWords(d.Month) + " (UTC)"}},
			Note: "A larger plan takes effect at once.",
		}
		if d.Percent >= 100 {
			c.Paragraphs = []string{"Your plan's monthly limit is reached. Everything goes on without AI until the month ends."}
		}
		return c
	}},
	PlanChanged: {topic: "your plan", says: func(d Data) content {
		c := content{
			Subject:    "Your plan is now " + humanize.Capital(d.Plan),
			Paragraphs: []string{"Your plan has changed."},
			Facts:      []fact{{"Plan", humanize.Capital(d.Plan)}, {"Before", humanize.Capital(d.PreviousPlan)}},
		}
		if len(d.Lines) > 0 {
			c.Paragraphs = append(c.Paragraphs, "This no longer fits. It is paused, and nothing is deleted:")
		}
		return c
	}},
	PaymentFailed: {topic: "failed payments", says: func(d Data) content {
		return content{
			Subject:    "Your payment failed",
			Paragraphs: []string{"We couldn't charge your card. Pay the invoice with this or another card to keep your plan."},
			Facts:      []fact{{"Plan", humanize.Capital(d.Plan)}, {"Ends unless paid by", moment(d.Until)}},
			Button:     "Pay the invoice",
		}
	}},
	AIDisabled: {topic: "AI images turned off", says: func(d Data) content {
		return content{
			Subject: "AI images are off for " + d.Project,
			Paragraphs: []string{"Public addresses of this project no longer get AI images. Cards are drawn from their " +
				"templates. You can turn AI on again in the project's settings."},
			Facts: []fact{{"Project", d.Project}, {"Reason", d.Reason}},
		}
	}},
	WebhookDisabled: {topic: "disabled webhooks", says: func(d Data) content {
		return content{
			Subject:    "A webhook was disabled",
			Paragraphs: []string{"We send nothing to this endpoint until you enable it again."},
			Facts:      []fact{{"Endpoint", d.URL}, {"Reason", d.Reason}},
		}
	}},
	WatchWorse: {quiet: true, topic: "watched pages", says: func(d Data) content {
		c := content{
			Subject:    "A watched page got worse",
			Paragraphs: []string{"You are told once of each of these, and once when it is over:"},
			Facts:      []fact{{"Page", d.URL}},
		}
		if d.Recovered {
			c.Subject, c.Paragraphs = "A watched page has recovered", []string{"This is over:"}
		}
		if d.Path != "" {
			c.Button = "See the report"
			c.Facts = append(c.Facts, fact{"Score", score(d.Score)})
			if d.PreviousScore != d.Score {
				c.Facts = append(c.Facts, fact{"Before", score(d.PreviousScore)})
			}
		}
		return c
	}},
	ImageFailed: {quiet: true, topic: "images that couldn't be drawn", says: func(d Data) content {
		return content{
			Subject:    "An image couldn't be drawn",
			Paragraphs: []string{"You are told of the first image of a project that fails in a day."},
			Facts:      []fact{{"Page", d.URL}, {"Project", d.Project}, {"Reason", d.Reason}},
		}
	}},
	SiteCompleted: {topic: "audits of sites", says: func(d Data) content {
		c := content{
			Subject:    "The audit of your site is ready",
			Paragraphs: []string{"Its report shows the worst pages and the faults that pages share."},
			Facts:      []fact{{"Sitemap", d.URL}, {"Score", score(d.Score)}},
			Button:     "See the report",
		}
		if d.Reason != "" {
			c.Subject, c.Paragraphs = "Your site couldn't be audited", nil
			c.Facts, c.Button = []fact{{"Sitemap", d.URL}, {"Reason", d.Reason}}, "Try again"
		}
		return c
	}},
	ExportCompleted: {topic: "exports of your account", says: func(d Data) content {
		c := content{
			Subject:    "Your export is ready",
			Paragraphs: []string{"You can download all that is stored about your account. You have to be signed in."},
			Facts:      []fact{{"Until", moment(d.Until)}},
			Button:     "Download it",
		}
		if d.Reason != "" {
			c.Subject, c.Paragraphs, c.Facts, c.Button = "Your export failed", []string{d.Reason}, nil, "Try again"
		}
		return c
	}},
	AccountDeleted: {security: true, says: func(d Data) content {
		return content{
			Subject: "Your account was deleted",
			Paragraphs: []string{
				"You can't use it any more, and its keys, webhooks and watched pages are gone. If you change your mind, sign in " +
					"before the time below, and you get back the rest: your projects, images and reports. Then they are deleted too.",
			},
			Facts: []fact{{"Deleted", moment(d.At)}, {"Can be restored until", moment(d.Until)}},
			Note:  "Unless you sign in, this is the last email that we send to this address.",
		}
	}},
	Digest: {says: func(d Data) content {
		return content{
			Subject:    d.About,
			Paragraphs: []string{"You got several emails of this kind within an hour. This one has the rest:"},
			Button:     "See your notifications",
		}
	}},
}

// contentOf returns what a mail says. Every text is clean and bounded, and empty facts are left out.
func contentOf(kind Kind, d Data) content {
	for _, text := range []*string{&d.Place, &d.Device, &d.Resource, &d.Month, &d.Plan, &d.PreviousPlan, &d.Project,
		&d.Reason, &d.URL, &d.About, &d.Address} {
		*text = cleantext.Clean(*text, maxText)
	}
	c := kinds[kind].says(d)
	c.Facts = keep(c.Facts, func(f fact) bool { return f.Value != "" })
	for i, line := range d.Lines {
		if i == maxLines {
			c.Lines = append(c.Lines, fmt.Sprintf("and %d more", len(d.Lines)-maxLines))
			break
		}
		c.Lines = append(c.Lines, cleantext.Clean(line, maxLine))
	}
	return c
}

func keep[T any](list []T, wanted func(T) bool) (kept []T) {
	for _, item := range list {
		if wanted(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

func moment(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2 January 2006, 15:04 UTC")
}

func score(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// monthWords is a month such as 2026-11 in words.
func monthWords(month string) string {
	t, err := time.Parse("2006-01", month)
	if err != nil {
		return month
	}
	return t.Format("January 2006")
}
