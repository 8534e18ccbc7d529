package wire_test

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/google/uuid"

	"masthead/pkg/wire"
)

const id = "0191e3c4-7b2a-7c3d-8e4f-5a6b7c8d9e0f"

func TestAnswer_unknownValuesAreNull(t *testing.T) {
	moment := time.Date(2026, 5, 4, 3, 2, 1, 0, time.UTC)
	for name, c := range map[string]struct {
		value any
		want  string
	}{
		"text":      {wire.OrNull("Ada"), `"Ada"`},
		"no text":   {wire.OrNull(""), `null`},
		"moment":    {wire.MomentOrNull(moment), `"2026-05-04T03:02:01.000Z"`},
		"no moment": {wire.MomentOrNull(time.Time{}), `null`},
		"another zone, and more digits": {
			wire.Moment(moment.Add(20*time.Millisecond + 999).In(time.FixedZone("", 7200))),
			`"2026-05-04T03:02:01.020Z"`,
		},
		"id":         {wire.UUID(id), `"` + id + `"`},
		"optional":   {wire.UUIDOrNull(id), `"` + id + `"`},
		"no id":      {wire.UUIDOrNull(""), `null`},
		"items":      {wire.Items([]int{1, 2}, func(n int) int { return 10 * n }), `[10,20]`},
		"empty list": {wire.Items(nil, func(n int) int { return n }), `[]`},
	} {
		got, err := json.Marshal(c.value)
		if err != nil || string(got) != c.want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, c.want)
		}
	}
}

func TestRequest_leftOutFieldsAreZero(t *testing.T) {
	if got := wire.Value[int](nil); got != 0 {
		t.Errorf("got %d, want 0", got)
	}
	if got := wire.Value(new("Ada")); got != "Ada" {
		t.Errorf("got %q, want Ada", got)
	}
	if got := wire.ValueOr(nil, true); !got {
		t.Error("got false for a field that was left out, want what stands for it")
	}
	if got := wire.ValueOr(new(false), true); got {
		t.Error("got true, want the false that was given")
	}
	if got := wire.ID(nil); got != "" {
		t.Errorf("got %q, want no id", got)
	}
	if got := wire.ID(new(uuid.MustParse(id))); got != id {
		t.Errorf("got %q, want %q", got, id)
	}
}

func TestMoment_isReadAsWritten(t *testing.T) {
	var m wire.Moment
	if err := json.Unmarshal([]byte(`"2026-05-04T03:02:01.020Z"`), &m); err != nil {
		t.Fatal(err)
	}
	if got := m.String(); got != "2026-05-04T03:02:01.020Z" {
		t.Errorf("got %s", got)
	}
	if err := json.Unmarshal([]byte(`"yesterday"`), &m); err == nil {
		t.Error("got no error for a text that is no moment")
	}
}

func TestUUID_foreignTextPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("got no panic for a text that no row has as its id")
		}
	}()
	wire.UUID("no id")
}
