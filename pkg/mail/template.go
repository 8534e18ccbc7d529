package mail

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	texttemplate "text/template"
)

//go:embed layout.html
var htmlLayout string

//go:embed layout.txt
var textLayout string

var (
	htmlTemplate = template.Must(template.New("html").Parse(htmlLayout))
	textTemplate = texttemplate.Must(texttemplate.New("text").Parse(textLayout))
)

type renderedMail struct{ subject, text, html string }

// render writes a mail as text and as HTML, both from the same content. link is where its button leads, "" for no
// button; stop is the token that unsubscribes, "" for a mail about security; base is our public address.
func render(kind Kind, d Data, link, stop, base string) (renderedMail, error) {
	values := struct {
		content
		Link, Stop, Base string
	}{contentOf(kind, d), link, stop, base}
	if stop != "" {
		values.Stop = base + "/email/unsubscribe#token=" + stop
	}
	if link == "" || values.Button == "" {
		values.Button, values.Link = "", ""
	}
	var text, html bytes.Buffer
	if err := textTemplate.Execute(&text, values); err != nil {
		return renderedMail{}, fmt.Errorf("write the text of a mail: %w", err)
	}
	if err := htmlTemplate.Execute(&html, values); err != nil {
		return renderedMail{}, fmt.Errorf("write the HTML of a mail: %w", err)
	}
	return renderedMail{values.Subject, text.String(), html.String()}, nil
}
