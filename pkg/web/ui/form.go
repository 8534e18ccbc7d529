package ui

import (
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"mime"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/cleantext"
	"masthead/pkg/identity"
)

// maxForm is the maximum size of a form in bytes.
const maxForm = 64 << 10

// Input is a text field of a form, with what was typed into it and what is wrong with it.
type Input struct {
	// Name is that of the field on the wire, and its ID on the page. Pointer is the part of an operation's body that it
	// fills, "/" + Name if empty.
	Name, Pointer string
	Label, Hint   string
	// Type is that of the element, text if empty. Passwords and codes are never sent back to the browser.
	Type string
	// Autocomplete, Mode and MaxLength are attributes of the element; 0 is no maximum.
	Autocomplete, Mode string
	MaxLength          int
	Value              string
	// Error is a sentence on what is wrong, or "".
	Error string
	// Optional fields may be empty. Focus takes the focus when the page loads.
	Optional, Focus bool
	// Aside is a link at the end of the label's line, or nil.
	Aside *Link
	// Attributes of the wrapping element that scripts and styles know: "hidden", "code", or "".
	Class string
	// Options makes it a choice of these, instead of a text.
	Options []Option
	// Accept are the types of files that can be chosen, for the type file.
	Accept string
	// Key is the ID of the element if it isn't Name, as in the second of two forms on a page.
	Key string
}

// Option is one of the values to choose from.
type Option struct{ Value, Text string }

// Link is a link with its text.
type Link struct{ URL, Text string }

// ID is the ID of the element.
func (i Input) ID() string {
	if i.Key != "" {
		return i.Key
	}
	return i.Name
}

// secret reports whether the browser must never get back what was typed.
func (i Input) secret() bool { return i.Type == "password" || i.Autocomplete == "one-time-code" }

// Form is a form of a page, sent or not.
type Form struct {
	Inputs []Input
	// Error is what is wrong with the form as a whole, or "". Ours means that the fault is the server's, and RequestID
	// is then for its operator.
	Error     string
	Ours      bool
	RequestID string
	// Status is the status of the page's response.
	Status int

	values url.Values
}

// NewForm returns a form that wasn't sent yet.
func NewForm(inputs ...Input) *Form { return &Form{Inputs: inputs, Status: http.StatusOK} }

// Read reads what the request has for the form.
func (f *Form) Read(c echo.Context) error {
	r := c.Request()
	r.Body = http.MaxBytesReader(c.Response(), r.Body, maxForm)
	if err := r.ParseForm(); err != nil {
		return apperr.Wrap(apperr.BadRequest, "We couldn’t read the form. Send it again.", err)
	}
	f.values = r.PostForm
	for i := range f.Inputs {
		if in := &f.Inputs[i]; !in.secret() {
			in.Value = f.Typed(in.Name)
		}
	}
	return nil
}

// Upload is a file in a form.
type Upload struct {
	// Name is that of the file, cleaned and without its folder and extension.
	Name string
	Data []byte
}

// maxRejected is how much of a form that is too large is read and discarded: a browser that is still sending it would
// otherwise show a broken connection in place of the page.
const maxRejected = 16 << 20

// ErrTooLarge means that a form has more than its file may have.
var ErrTooLarge = errors.New("the file is too large")

// ReadUpload reads a form that has a file of at most most bytes in the field name. The file is empty if none was
// chosen, or the form isn't one with files. It returns [ErrTooLarge] for more.
func (f *Form) ReadUpload(c echo.Context, name string, most int) (file Upload, err error) {
	r := c.Request()
	kind, _, err := mime.ParseMediaType(r.Header.Get(echo.HeaderContentType))
	if err != nil || kind != echo.MIMEMultipartForm {
		return file, f.Read(c)
	}
	whole := r.Body
	r.Body = http.MaxBytesReader(c.Response(), whole, int64(most)+maxForm)
	err = r.ParseMultipartForm(int64(most) + maxForm)
	var over *http.MaxBytesError
	if errors.As(err, &over) {
		_, _ = io.CopyN(io.Discard, whole, maxRejected) // it is rejected in any case
		f.values = url.Values{}
		return file, ErrTooLarge
	}
	if err != nil {
		return file, apperr.Wrap(apperr.BadRequest, "We couldn’t read the form. Send it again.", err)
	}
	defer func() { _ = r.MultipartForm.RemoveAll() }() // all of it is in memory
	f.values = r.MultipartForm.Value
	for i := range f.Inputs {
		if in := &f.Inputs[i]; !in.secret() {
			in.Value = f.Typed(in.Name)
		}
	}
	sent := r.MultipartForm.File[name]
	if len(sent) == 0 {
		return file, nil
	}
	if sent[0].Size > int64(most) {
		return file, ErrTooLarge
	}
	opened, err := sent[0].Open()
	if err != nil {
		return file, fmt.Errorf("read an uploaded file: %w", err)
	}
	defer opened.Close()
	base := sent[0].Filename[strings.LastIndexAny(sent[0].Filename, `/\`)+1:]
	if i := strings.LastIndexByte(base, '.'); i > 0 {
		base = base[:i]
	}
	file.Name = cleantext.Clean(base, maxUploadName)
	file.Data, err = io.ReadAll(opened)
	return file, err
}

// maxUploadName is the maximum length of the name of an upload in characters.
const maxUploadName = 100

// Sent reports whether the form was sent.
func (f *Form) Sent() bool { return f.values != nil }

// Typed returns what was typed into a field. Browsers send any bytes; those that aren't UTF-8 are replaced.
func (f *Form) Typed(name string) string { return strings.ToValidUTF8(f.values.Get(name), "�") }

// Chosen returns all values of a field, such as those of checkboxes.
func (f *Form) Chosen(name string) []string { return f.values[name] }

// Optional returns what was typed into a field, or nil for nothing.
func (f *Form) Optional(name string) *string {
	if value := f.Typed(name); strings.TrimSpace(value) != "" {
		return &value
	}
	return nil
}

// Input returns the field with a name, for pages that place it themselves. It panics if there is none.
func (f *Form) Input(name string) *Input {
	i := slices.IndexFunc(f.Inputs, func(in Input) bool { return in.Name == name })
	if i < 0 {
		panic("ui: the form has no field " + name)
	}
	return &f.Inputs[i]
}

// manyWrong is from how many wrong fields on a form has a summary of them.
const manyWrong = 3

// Wrong returns the wrong fields for a summary above the form; nil for fewer than three, which are seen beside their
// fields.
func (f *Form) Wrong() []Input {
	wrong := slices.DeleteFunc(slices.Clone(f.Inputs), func(in Input) bool { return in.Error == "" })
	if len(wrong) < manyWrong {
		return nil
	}
	return wrong
}

// Fault adds an error to a field.
func (f *Form) Fault(name, sentence string) {
	f.Input(name).Error = sentence
	f.Status = http.StatusUnprocessableEntity
	f.focus()
}

// Refuse records the error of the operation that the form ran: beside the fields that it names, otherwise for the whole
// form. Faults of ours are logged.
func (f *Form) Refuse(c echo.Context, err error) {
	ctx := c.Request().Context()
	var fault *apperr.Error
	if !errors.As(err, &fault) {
		fault = apperr.New(apperr.Internal, "")
	}
	f.Status = fault.Code.Meaning().Status
	if f.Status >= http.StatusInternalServerError && fault.Code != apperr.UpstreamFailed {
		slog.ErrorContext(ctx, "form failed", "request_id", identity.RequestIDOf(ctx), "code", string(fault.Code), "err", err)
	}
	seconds := max(1, int(math.Ceil(fault.RetryAfter.Seconds())))
	if fault.RetryAfter > 0 || fault.Code == apperr.RateLimited {
		c.Response().Header().Set("Retry-After", strconv.Itoa(seconds))
	}
	switch {
	case fault.Code == apperr.RateLimited, fault.Code == apperr.Unavailable && fault.RetryAfter > 0:
		what := "Too many attempts."
		if fault.Code != apperr.RateLimited {
			what = "The server is busy."
		}
		f.Error = fmt.Sprintf("%s Try again in %d %s.", what, seconds, plural(seconds, "second"))
		return
	case f.Status >= http.StatusInternalServerError && fault.Code != apperr.UpstreamFailed:
		f.Ours, f.RequestID = true, identity.RequestIDOf(ctx)
		f.Error = "The fault is ours. What you typed is still in the form, passwords aside."
		return
	case fault.Code != apperr.Forbidden && fault.Code != apperr.NotFound:
		f.Status = http.StatusUnprocessableEntity
	}
	if !f.place(fault.Fields) {
		f.Error = fault.Detail
	}
	f.focus()
}

// place puts faults beside their fields, and reports whether all have one.
func (f *Form) place(faults []apperr.Field) bool {
	all := len(faults) > 0
	for _, fault := range faults {
		i := slices.IndexFunc(f.Inputs, func(in Input) bool {
			pointer := in.Pointer
			if pointer == "" {
				pointer = "/" + in.Name
			}
			return pointer == fault.Pointer || strings.HasPrefix(fault.Pointer, pointer+"/")
		})
		if i < 0 {
			all = false
			continue
		}
		in := &f.Inputs[i]
		switch {
		case in.Error != "":
		case !in.Optional && f.Typed(in.Name) == "":
			in.Error = in.Label + " is required."
		default:
			in.Error = labeled(fault, in.Label)
		}
	}
	return all
}

// labeled returns the sentence of a fault with the label of the field in place of its name on the wire.
func labeled(fault apperr.Field, label string) string {
	name := fault.Pointer[strings.LastIndexByte(fault.Pointer, '/')+1:]
	sentence, found := strings.CutPrefix(fault.Detail, name+" ")
	if found {
		return label + " " + sentence
	}
	first, size := utf8.DecodeRuneInString(fault.Detail)
	return string(unicode.ToUpper(first)) + fault.Detail[size:]
}

// focus gives the focus to the first wrong field, and to no other.
func (f *Form) focus() {
	wrong := slices.IndexFunc(f.Inputs, func(in Input) bool { return in.Error != "" })
	for i := range f.Inputs {
		if wrong >= 0 {
			f.Inputs[i].Focus = i == wrong
		}
	}
}

func plural(n int, word string) string {
	if n == 1 {
		return word
	}
	return word + "s"
}
