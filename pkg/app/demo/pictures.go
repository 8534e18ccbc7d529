package demo

import (
	"bytes"
	"embed"
	"hash/fnv"
	"image"
	"image/jpeg"
	"strings"
	"sync"
)

// pictureFiles are the pictures of the demo's AI provider. They also show how designs look over a real background:
// calm, busy, upright, pale, dark, and with an object in the middle.
//
//go:embed pictures/*.jpg
var pictureFiles embed.FS

// darkPictures and palePictures are the names of the pictures for a dark and for a light theme.
var (
	darkPictures = []string{"calm", "busy", "dark"}
	palePictures = []string{"pale", "portrait", "product"}
)

// Picture returns the demo's picture for the prompt of an AI background: the one whose name is a word of the prompt,
// else one that suits the tones that it asks for. The same prompt gets the same picture. It is safe for concurrent use.
func Picture(prompt string) image.Image { return decodedPictures()[nameFor(prompt)] }

// nameFor returns the name of the picture for a prompt.
func nameFor(prompt string) string {
	prompt = strings.ToLower(prompt)
	names := darkPictures
	if strings.Contains(prompt, "light tones") {
		names = palePictures
	}
	// Package card puts these words into every prompt.
	rest := strings.NewReplacer("dark tones", "", "calm, low-detail area", "").Replace(prompt)
	for _, word := range strings.FieldsFunc(rest, func(r rune) bool { return r < 'a' || r > 'z' }) {
		for _, name := range append(darkPictures[:3:3], palePictures...) {
			if word == name {
				return name
			}
		}
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(prompt)) // a hash never fails
	return names[h.Sum32()%uint32(len(names))]
}

// decodedPictures returns all pictures by their names.
var decodedPictures = sync.OnceValue(func() map[string]image.Image {
	all := map[string]image.Image{}
	for _, name := range append(darkPictures[:3:3], palePictures...) {
		file, err := pictureFiles.ReadFile("pictures/" + name + ".jpg")
		if err != nil {
			panic(err) // the build embeds it
		}
		if all[name], err = jpeg.Decode(bytes.NewReader(file)); err != nil {
			panic(err) // the repository's own file
		}
	}
	return all
})
