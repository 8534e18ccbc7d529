package css

import (
	"strings"

	"masthead/render/html/css/value"
)

// maxTracks bounds the tracks of a grid.
const maxTracks = 500

// grid returns the grid properties, to be changed.
func (b *builder) grid() *Grid {
	if b.st.Grid == nil {
		b.st.Grid = &Grid{}
	}
	return b.st.Grid
}

// gridProperty returns a longhand that is a part of Grid.
func gridProperty(set func(b *builder, g *Grid, v []value.Value) bool, copyPart func(d, s *Grid)) *property {
	return &property{
		set: func(b *builder, v []value.Value) bool {
			g := Grid{}
			if b.st.Grid != nil {
				g = *b.st.Grid
			}
			if !set(b, &g, v) {
				return false
			}
			b.st.Grid = &g
			return true
		},
		copy: func(d, s *Style) {
			g, from := Grid{}, s.Grid
			if d.Grid != nil {
				g = *d.Grid
			}
			if from == nil {
				from = &Grid{}
			}
			copyPart(&g, from)
			d.Grid = &g
		},
	}
}

func addGridProperties() {
	properties["grid-template-columns"] = gridProperty(func(b *builder, g *Grid, v []value.Value) (ok bool) {
		g.Columns, g.ColumnLines, ok = b.template(v)
		return ok
	}, func(d, s *Grid) { d.Columns, d.ColumnLines = s.Columns, s.ColumnLines })
	properties["grid-template-rows"] = gridProperty(func(b *builder, g *Grid, v []value.Value) (ok bool) {
		g.Rows, g.RowLines, ok = b.template(v)
		return ok
	}, func(d, s *Grid) { d.Rows, d.RowLines = s.Rows, s.RowLines })
	properties["grid-template-areas"] = gridProperty(func(_ *builder, g *Grid, v []value.Value) (ok bool) {
		g.Areas, ok = areas(v)
		return ok
	}, func(d, s *Grid) { d.Areas = s.Areas })
	properties["grid-auto-columns"] = gridProperty(func(b *builder, g *Grid, v []value.Value) (ok bool) {
		g.AutoColumns, ok = autoTracks(b, v)
		return ok
	}, func(d, s *Grid) { d.AutoColumns = s.AutoColumns })
	properties["grid-auto-rows"] = gridProperty(func(b *builder, g *Grid, v []value.Value) (ok bool) {
		g.AutoRows, ok = autoTracks(b, v)
		return ok
	}, func(d, s *Grid) { d.AutoRows = s.AutoRows })
	properties["grid-auto-flow"] = gridProperty(func(_ *builder, g *Grid, v []value.Value) bool {
		g.FlowColumn, g.Dense = false, false
		for i := range v {
			switch {
			case v[i].Is("column"):
				g.FlowColumn = true
			case v[i].Is("dense"):
				g.Dense = true
			case v[i].Is("row"):
			default:
				return false
			}
		}
		return true
	}, func(d, s *Grid) { d.FlowColumn, d.Dense = s.FlowColumn, s.Dense })
	lines := map[string]func(*Grid) *GridLine{
		"grid-column-start": func(g *Grid) *GridLine { return &g.ColumnStart },
		"grid-column-end":   func(g *Grid) *GridLine { return &g.ColumnEnd },
		"grid-row-start":    func(g *Grid) *GridLine { return &g.RowStart },
		"grid-row-end":      func(g *Grid) *GridLine { return &g.RowEnd },
	}
	for name, field := range lines {
		properties[name] = gridProperty(func(b *builder, g *Grid, v []value.Value) bool {
			l, ok := b.gridLine(v)
			if ok {
				*field(g) = l
			}
			return ok
		}, func(d, s *Grid) { *field(d) = *field(s) })
	}
}

func autoTracks(b *builder, v []value.Value) (list []Track, ok bool) {
	for i := range v {
		t, ok := b.track(&v[i])
		if !ok || len(list) > maxTracks {
			return nil, false
		}
		list = append(list, t)
	}
	return list, true
}

// gridLine reads a line of an item.
func (b *builder) gridLine(v []value.Value) (l GridLine, ok bool) {
	span := false
	for i := range v {
		n, isNumber := b.number(&v[i])
		switch {
		case v[i].Is("auto") && len(v) == 1:
			return l, true
		case v[i].Is("span"):
			span = true
		case isNumber && n == float64(int(n)) && n != 0 && n > -1000 && n < 1000:
			l.Line = int(n)
		case v[i].Kind == value.Ident && l.Name == "":
			l.Name = v[i].Text
		default:
			return l, false
		}
	}
	if span {
		l.Span, l.Line = max(l.Line, 1), 0
	}
	return l, len(v) > 0 && len(v) <= 3
}

// track reads the size of a track.
func (b *builder) track(v *value.Value) (t Track, ok bool) {
	if v.Kind == value.Number && v.Unit == "fr" {
		return Track{Fr: v.Num}, v.Num >= 0
	}
	if v.Fn("minmax") {
		parts := value.SplitCommas(v.Args)
		if len(parts) != 2 || len(parts[0]) != 1 || len(parts[1]) != 1 {
			return t, false
		}
		low, ok1 := b.track(&parts[0][0])
		high, ok2 := b.track(&parts[1][0])
		if !ok1 || !ok2 || low.Fr > 0 {
			return t, false
		}
		return Track{Min: low.Min, Max: high.Max, Fr: high.Fr}, true
	}
	s, ok := b.size(v)
	if !ok || s.Kind == value.None || s.Kind == value.Content || s.Kind == value.Stretch ||
		s.Kind == value.FitContent && v.Kind == value.Ident {
		return t, false
	}
	if s.Kind == value.FitContent {
		return Track{Max: s}, true
	}
	return Track{Min: s, Max: s}, true
}

// template reads a list of tracks with the names of lines; ok is false if it is invalid.
func (b *builder) template(v []value.Value) (tracks []Track, names [][]string, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, nil, true
	}
	if len(v) > 0 && (v[0].Is("subgrid") || v[0].Is("masonry")) {
		return nil, nil, false
	}
	tracks, names, ok = b.trackList(v, true)
	return tracks, names, ok && len(tracks) > 0 && countable(tracks)
}

// countable reports whether at most one repetition is automatic, and if one is, all sizes are such that how often it
// fits can be counted. Source: CSS Grid 1, 7.2.3.2.
func countable(tracks []Track) bool {
	automatic, fixed := 0, true
	one := func(t Track) bool { return t.Min.Kind == value.Fixed || t.Fr == 0 && t.Max.Kind == value.Fixed }
	for _, t := range tracks {
		if t.Repeat == NoRepeat {
			fixed = fixed && one(t)
			continue
		}
		automatic++
		for _, inner := range t.Tracks {
			fixed = fixed && one(inner)
		}
	}
	return automatic == 0 || automatic == 1 && fixed
}

// trackLister collects the tracks of a list and the names of their lines.
type trackLister struct {
	b      *builder
	tracks []Track
	names  [][]string
}

// line adds names to the line before the next track.
func (l *trackLister) line(names ...string) {
	for len(l.names) <= len(l.tracks) {
		l.names = append(l.names, nil)
	}
	n := &l.names[len(l.tracks)]
	*n = append(*n, names...)
}

func (b *builder) trackList(v []value.Value, repeats bool) (tracks []Track, names [][]string, ok bool) {
	l := &trackLister{b: b}
	for i := range v {
		x := &v[i]
		ok := len(l.tracks) <= maxTracks
		switch {
		case x.Kind == value.Block && x.Text == "[":
			for k := range x.Args {
				ok = ok && x.Args[k].Kind == value.Ident
				l.line(x.Args[k].Text)
			}
		case x.Fn("repeat"):
			ok = ok && repeats && l.repeat(x)
		default:
			t, fits := b.track(x)
			ok = ok && fits
			l.tracks = append(l.tracks, t)
		}
		if !ok {
			return nil, nil, false
		}
	}
	l.line()
	for _, n := range l.names {
		if len(n) > 0 {
			return l.tracks, l.names, true
		}
	}
	return l.tracks, nil, true
}

// repeat adds the tracks of repeat().
func (l *trackLister) repeat(x *value.Value) bool {
	parts := value.SplitCommas(x.Args)
	if len(parts) != 2 || len(parts[0]) != 1 {
		return false
	}
	inner, names, ok := l.b.trackList(parts[1], false)
	if !ok || len(inner) == 0 {
		return false
	}
	count := &parts[0][0]
	if count.Is("auto-fill") || count.Is("auto-fit") {
		kind := AutoFill
		if count.Is("auto-fit") {
			kind = AutoFit
		}
		l.line()
		l.tracks = append(l.tracks, Track{Repeat: kind, Tracks: inner, TrackNames: names})
		return true
	}
	n, ok := l.b.number(count)
	if !ok || n < 1 {
		return false
	}
	for range int(min(n, maxTracks)) {
		for k := range inner {
			if k < len(names) {
				l.line(names[k]...)
			}
			l.tracks = append(l.tracks, inner[k])
		}
		if len(names) > len(inner) {
			l.line(names[len(inner)]...)
		}
		if len(l.tracks) > maxTracks {
			break
		}
	}
	return true
}

// areas reads grid-template-areas.
func areas(v []value.Value) (rows [][]string, ok bool) {
	if len(v) == 1 && v[0].Is("none") {
		return nil, true
	}
	for i := range v {
		if v[i].Kind != value.String || len(rows) > maxTracks {
			return nil, false
		}
		row := strings.Fields(v[i].Text)
		for k, name := range row {
			if strings.Trim(name, ".") == "" {
				row[k] = "."
			}
		}
		if len(row) == 0 || len(row) > maxTracks || len(rows) > 0 && len(row) != len(rows[0]) {
			return nil, false
		}
		rows = append(rows, row)
	}
	return rows, len(rows) > 0
}

func addGridShorthands() {
	pairOf := func(start, end string) *shorthand {
		return &shorthand{longhands: []string{start, end}, set: func(b *builder, v []value.Value) bool {
			first, second, found := value.SplitSlash(v)
			l, ok := b.gridLine(first)
			if !ok {
				return false
			}
			e := GridLine{}
			if found {
				if e, ok = b.gridLine(second); !ok {
					return false
				}
			} else if l.Name != "" && l.Line == 0 && l.Span == 0 {
				e = l
			}
			return setLine(b, start, l) && setLine(b, end, e)
		}}
	}
	shorthands["grid-column"] = pairOf("grid-column-start", "grid-column-end")
	shorthands["grid-row"] = pairOf("grid-row-start", "grid-row-end")
	shorthands["grid-area"] = &shorthand{
		longhands: []string{"grid-row-start", "grid-column-start", "grid-row-end", "grid-column-end"},
		set: func(b *builder, v []value.Value) bool {
			var l [4]GridLine
			n := 0
			for rest, found := v, true; found && n < 4; n++ {
				var part []value.Value
				part, rest, found = value.SplitSlash(rest)
				var ok bool
				if l[n], ok = b.gridLine(part); !ok {
					return false
				}
			}
			custom := func(g GridLine) bool { return g.Name != "" && g.Line == 0 && g.Span == 0 }
			for i := n; i < 4; i++ { // what is missing repeats a name
				if from := l[[]int{0, 0, 0, 1}[i]]; custom(from) {
					l[i] = from
				}
			}
			return setLine(b, "grid-row-start", l[0]) && setLine(b, "grid-column-start", l[1]) &&
				setLine(b, "grid-row-end", l[2]) && setLine(b, "grid-column-end", l[3])
		},
	}
	template := []string{"grid-template-rows", "grid-template-columns", "grid-template-areas"}
	shorthands["grid-template"] = &shorthand{longhands: template, set: (*builder).gridTemplate}
	shorthands["grid"] = &shorthand{
		longhands: append(template[:3:3], "grid-auto-rows", "grid-auto-columns", "grid-auto-flow"),
		set:       (*builder).gridShorthand,
	}
}

func setLine(b *builder, name string, l GridLine) bool {
	g := *b.grid()
	switch name {
	case "grid-column-start":
		g.ColumnStart = l
	case "grid-column-end":
		g.ColumnEnd = l
	case "grid-row-start":
		g.RowStart = l
	default:
		g.RowEnd = l
	}
	b.st.Grid = &g
	return true
}

func (b *builder) gridTemplate(v []value.Value) bool {
	g := *b.grid()
	g.Columns, g.ColumnLines, g.Rows, g.RowLines, g.Areas = nil, nil, nil, nil, nil
	rows, columns, found := value.SplitSlash(v)
	hasText := false
	for i := range rows {
		hasText = hasText || rows[i].Kind == value.String
	}
	var ok bool
	if !hasText {
		if len(v) == 1 && v[0].Is("none") {
			b.st.Grid = &g
			return true
		}
		if !found {
			return false
		}
		if g.Rows, g.RowLines, ok = b.template(rows); !ok {
			return false
		}
	} else {
		var strings []value.Value
		var sizes []value.Value
		for i := range rows {
			if rows[i].Kind != value.String {
				sizes = append(sizes, rows[i])
				continue
			}
			strings = append(strings, rows[i])
			if i+1 == len(rows) || rows[i+1].Kind == value.String || rows[i+1].Kind == value.Block {
				sizes = append(sizes, value.Value{Kind: value.Ident, Text: "auto"})
			}
		}
		if g.Areas, ok = areas(strings); !ok {
			return false
		}
		if g.Rows, g.RowLines, ok = b.template(sizes); !ok {
			return false
		}
	}
	if found {
		if g.Columns, g.ColumnLines, ok = b.template(columns); !ok {
			return false
		}
	}
	b.st.Grid = &g
	return true
}

func (b *builder) gridShorthand(v []value.Value) bool {
	first, second, found := value.SplitSlash(v)
	flowOf := func(part []value.Value) (rest []value.Value, dense, is bool) {
		for i := range part {
			switch {
			case part[i].Is("auto-flow"):
				is = true
			case part[i].Is("dense"):
				dense = true
			default:
				rest = append(rest, part[i])
			}
		}
		return rest, dense, is
	}
	reset := func() *Grid {
		g := *b.grid()
		g.Columns, g.ColumnLines, g.Rows, g.RowLines, g.Areas = nil, nil, nil, nil, nil
		g.AutoColumns, g.AutoRows, g.FlowColumn, g.Dense = nil, nil, false, false
		b.st.Grid = &g
		return &g
	}
	if found {
		if rest, dense, is := flowOf(first); is {
			g := reset()
			g.Dense = dense
			var ok1, ok2 bool
			g.AutoRows, ok1 = autoTracks(b, rest)
			g.Columns, g.ColumnLines, ok2 = b.template(second)
			return ok1 && ok2
		}
		if rest, dense, is := flowOf(second); is {
			g := reset()
			g.Dense, g.FlowColumn = dense, true
			var ok1, ok2 bool
			g.AutoColumns, ok1 = autoTracks(b, rest)
			g.Rows, g.RowLines, ok2 = b.template(first)
			return ok1 && ok2
		}
	}
	reset()
	return b.gridTemplate(v)
}
