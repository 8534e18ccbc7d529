package css

import (
	"strings"

	"masthead/render/html/css/selector"
	"masthead/render/html/css/value"
)

// queryUnits are the units of queries, which know no element: em are 16 px.
var queryUnits = &builder{root: &Text{FontSize: 16}, text: Text{FontSize: 16}}

// supports evaluates the condition of @supports.
func supports(v []value.Value) bool {
	result, negate, or := true, false, false
	for i := range v {
		x := &v[i]
		var holds bool
		switch {
		case x.Is("not"):
			negate = true
			continue
		case x.Is("and"):
			continue
		case x.Is("or"):
			or = true
			continue
		case x.Kind == value.Block && x.Text == "(":
			if len(x.Args) > 1 && x.Args[0].Kind == value.Ident && x.Args[1].Delim(":") {
				holds = known(strings.ToLower(x.Args[0].Text)) && declarable(x.Args)
			} else {
				holds = supports(x.Args)
			}
		case x.Fn("selector"):
			_, unknown := selector.Parse(x.Args, nil)
			holds = unknown == ""
		default:
			holds = false
		}
		holds, negate = holds != negate, false
		switch {
		case i == 0 || !or:
			result = result && holds
		default:
			result = result || holds
		}
	}
	return result
}
