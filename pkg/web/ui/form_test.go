package ui_test

import (
	"strings"
	"testing"

	"masthead/pkg/web/ui"
)

// TestForm_wrong has a summary with links from three wrong fields on.
func TestForm_wrong(t *testing.T) {
	t.Parallel()
	names := []string{"email", "password", "name", "token"}
	form := ui.NewForm()
	for _, name := range names {
		form.Inputs = append(form.Inputs, ui.Input{Name: name, Label: "Your <" + name + ">"})
	}
	form.Inputs[2].Key = "second-name"
	for i, name := range []string{"email", "name", "token"} {
		form.Fault(name, "It’s wrong.")
		var b strings.Builder
		if err := ui.Templates(nil).ExecuteTemplate(&b, "form-error", form); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(b.String(), "form-wrong"); got != (i == 2) {
			t.Errorf("with %d wrong fields: %s", i+1, b.String())
		}
		if i < 2 {
			continue
		}
		for _, want := range []string{
			`role="alert"`, "3 fields need another look", `<a href="#email">Your &lt;email&gt;</a>`, `href="#second-name"`,
			`href="#token"`,
		} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("the summary lacks %s: %s", want, b.String())
			}
		}
		if strings.Contains(b.String(), "password") {
			t.Errorf("the summary names a field that isn’t wrong: %s", b.String())
		}
	}
}
