package value

import "strings"

// Format writes values as CSS.
func Format(list []Value) string {
	var b strings.Builder
	writeValues(&b, list)
	return b.String()
}

func writeValues(b *strings.Builder, list []Value) {
	for i := range list {
		v := &list[i]
		if v.Space && i > 0 {
			b.WriteByte(' ')
		}
		switch v.Kind {
		case Number:
			b.WriteString(v.Raw)
		case String:
			b.WriteString(quoted(v.Text))
		case URL:
			b.WriteString("url(" + quoted(v.Text) + ")")
		case Hash:
			b.WriteString("#" + v.Text)
		case AtKeyword:
			b.WriteString("@" + v.Text)
		case Function:
			b.WriteString(v.Text + "(")
			writeValues(b, v.Args)
			b.WriteByte(')')
		case Block:
			b.WriteString(v.Text)
			writeValues(b, v.Args)
			b.WriteString(map[string]string{"(": ")", "[": "]", "{": "}"}[v.Text])
		default:
			b.WriteString(v.Text)
		}
	}
}

func quoted(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\a `).Replace(s) + `"`
}
