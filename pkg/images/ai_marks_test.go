package images_test

import (
	"bytes"
	"testing"

	"masthead/pkg/ai/fakeai"
	"masthead/pkg/app/apptest"
)

// TestAI_templateThatTakesNone_usesNoUnit: the card is drawn without a picture, for good, and says why.
func TestAI_templateThatTakesNone_usesNoUnit(t *testing.T) {
	t.Parallel()
	option, provider := withAI(t, fakeai.Config{})
	h := apptest.StartSignedIn(t, option)
	for range 2 {
		a := wantAI(t, h.Generate("/page/one", map[string]any{"ai": true, "template": "blueprint", "kind": "blog_hero"}), "template")
		if a.Value("ai.marked") != false || a.Value("ai.prompt") != nil {
			t.Errorf("got %v", a.Value("ai"))
		}
	}
	if again := h.Generate("/page/one", map[string]any{"ai": true, "template": "blueprint", "kind": "blog_hero"}); again.Value("cached") != true {
		t.Error("it isn't kept")
	}
	if n, _ := provider.Asked(); n != 0 {
		t.Errorf("the provider was asked %d times", n)
	}
	wantUnits(t, h, 0)
	info := h.Get("/templates/blueprint").Want(200)
	if other := h.Get("/templates/mesh").Want(200); info.Value("ai") != false || other.Value("ai") != true {
		t.Errorf("the catalog says ai: %v of blueprint, %v of mesh", info.Value("ai"), other.Value("ai"))
	}
}

// TestAI_filesOverAnAIPicture_sayIt, and no others.
func TestAI_filesOverAnAIPicture_sayIt(t *testing.T) {
	t.Parallel()
	option, _ := withAI(t, fakeai.Config{})
	h := apptest.StartSignedIn(t, option)
	source := []byte("digitalsourcetype/compositeWithTrainedAlgorithmicMedia")
	for _, kind := range []string{"og", "blog_hero"} {
		made := wantAI(t, h.Generate("/page/one", map[string]any{"ai": true, "template": "mesh", "kind": kind}), "")
		file := h.Get(made.Path("imageUrl")).Want(200).Body
		if made.Value("ai.marked") != true || !bytes.Contains(file, source) {
			t.Errorf("%s: ai.marked is %v, the file says it: %v", kind, made.Value("ai.marked"), bytes.Contains(file, source))
		}
	}
	plain := h.Generate("/page/one", map[string]any{"template": "mesh"}).Want(200)
	if bytes.Contains(h.Get(plain.Path("imageUrl")).Want(200).Body, source) {
		t.Error("a picture without AI says that a model made it")
	}
}
