package images_test

import (
	"strings"
	"testing"

	"masthead/pkg/app/apptest"
	"masthead/pkg/blob"
)

// BenchmarkServing is what /og and /cdn do for a picture that is in memory, without the HTTP around it.
func BenchmarkServing(b *testing.B) {
	s := apptest.StartSignedIn(b)
	made := s.Generate("/page/one", nil)
	s.Get(made.Path("publicUrl"))
	s.Get(made.Path("imageUrl"))
	parts := strings.Split(made.Path("imageUrl"), "/")
	name := blob.Name{Digest: parts[2], File: parts[3]}
	publicID := made.Text("publicId")
	for what, kept := range map[string]func() (blob.Response, bool){
		"og":  func() (blob.Response, bool) { return s.App.Images.KeptImage(publicID, "", "", "") },
		"cdn": func() (blob.Response, bool) { return s.App.Images.KeptFile(name, "") },
	} {
		b.Run(what, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				k, ok := kept()
				if !ok {
					b.Fatal("not kept")
				}
				k.Close()
			}
		})
	}
}
