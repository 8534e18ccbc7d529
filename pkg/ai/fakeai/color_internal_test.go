package fakeai

import "testing"

func TestDeep_turnsYellowAloneAsLightFallsOff(t *testing.T) {
	for _, c := range []struct {
		name               string
		light, chroma, hue float64
		want               float64 // hue
	}{
		{"dark yellow", .5, .14, 98, 60}, {"darker yellow", .3, .14, 98, 60}, {"half lit yellow", .68, .14, 98, 79},
		{"light yellow", .9, .14, 98, 98}, {"dark green", .5, .14, 148, 148}, {"dark sand", .5, .05, 82, 82},
	} {
		if got, want := deep(c.light, c.chroma, c.hue), lch(c.light, c.chroma, c.want); got != want {
			t.Errorf("%s: got %+v, want %+v", c.name, got, want)
		}
	}
}
