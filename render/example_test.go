package render_test

import (
	"context"
	"fmt"
	"log"

	"masthead/render"
)

// Another program draws a card in ten lines.
func ExampleDraw() {
	pic, err := render.Draw(context.Background(), render.Request{
		Texts: render.Texts{Title: "Why we moved our queue to Postgres", SiteName: "Northlane", Host: "northlane.dev"},
		Dark:  true,
	})
	if err != nil {
		log.Fatal(err)
	}
	// os.WriteFile("card"+pic.Ext, pic.Bytes, 0o644)
	fmt.Println(pic.ContentType, pic.Width, pic.Height)
	// Output: image/png 1200 630
}

func ExampleTemplates() {
	for _, t := range render.Templates() {
		if t.Slug == "minimal" {
			fmt.Printf("%s: %s %v\n", t.Name, t.Mood, t.Kinds)
		}
	}
	// Output: Minimal: Confidence: a title and a full stop. [og]
}
