package design_test

import (
	"fmt"
	"testing"

	"masthead/render/design"
	"masthead/render/encode"
)

// BenchmarkDraw_pages draws and encodes pages that differ in their titles, from a design that is compiled once.
func BenchmarkDraw_pages(b *testing.B) {
	const source = `<style>
body{margin:0;padding:64px 80px;display:flex;flex-direction:column;height:630px;box-sizing:border-box;
background:var(--background);color:var(--text);font-family:Inter}
h1{margin:40px 0 0;font-size:64px;line-height:1.15}p{margin:24px 0 0;font-size:28px;color:var(--muted)}
footer{margin-top:auto;font-size:24px;color:var(--accent)}
</style><h1>{{title}}</h1>{{#description}}<p>{{description}}</p>{{/description}}<footer>{{host}}</footer>`
	d, err := design.Compile(source, sample(b))
	if err != nil {
		b.Fatal(err)
	}
	properties := map[string]string{"--background": "#101018", "--text": "#ffffff", "--muted": "#c0c0c8", "--accent": "#8ab4ff"}
	for i := 0; b.Loop(); i++ {
		facts := map[string]any{
			"title": fmt.Sprint("Why we moved render queue number ", i, " to Postgres"), "host": "northlane.dev",
			"description": "Six months, one outage and a 40% cost cut.",
		}
		doc, err := d.Fill(facts, properties)
		if err != nil {
			b.Fatal(err)
		}
		if _, err := doc.Draw(b.Context(), design.Options{Width: 1200, Height: 630, Limits: encode.OG}); err != nil {
			b.Fatal(err)
		}
	}
}
