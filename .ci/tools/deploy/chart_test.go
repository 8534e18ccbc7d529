package deploy_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"helm.sh/helm/v3/pkg/chart/loader"
	"helm.sh/helm/v3/pkg/chartutil"
	"helm.sh/helm/v3/pkg/engine"
	"helm.sh/helm/v3/pkg/lint"
	"helm.sh/helm/v3/pkg/lint/support"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	networking "k8s.io/api/networking/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	"k8s.io/client-go/kubernetes/scheme"
)

const chart = dir + "/helm/masthead"

// render renders the chart as `helm template` does, with values by dotted path. Each document must be one that
// Kubernetes knows, without an unknown or repeated field.
func render(t *testing.T, values map[string]any) (objects []any, err error) {
	t.Helper()
	loaded, err := loader.LoadDir(chart)
	if err != nil {
		t.Fatal(err)
	}
	set := map[string]any{}
	for path, value := range values {
		at := set
		parts := strings.Split(path, ".")
		for _, part := range parts[:len(parts)-1] {
			if at[part] == nil {
				at[part] = map[string]any{}
			}
			at = at[part].(map[string]any)
		}
		at[parts[len(parts)-1]] = value
	}
	all, err := chartutil.ToRenderValues(loaded, set, chartutil.ReleaseOptions{Name: "share", Namespace: "web"}, nil)
	if err != nil {
		return nil, err
	}
	files, err := engine.Render(loaded, all)
	if err != nil {
		return nil, err
	}
	strict := serializer.NewCodecFactory(scheme.Scheme, serializer.EnableStrict).UniversalDeserializer()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text := files[name]
		if strings.TrimSpace(text) == "" || !strings.HasSuffix(name, ".yaml") {
			continue
		}
		object, _, err := strict.Decode([]byte(text), nil, nil)
		if err != nil {
			t.Fatalf("%s: %v\n%s", filepath.Base(name), err, text)
		}
		objects = append(objects, object)
	}
	return objects, nil
}

// one returns the object of a type.
func one[T any](t *testing.T, objects []any) T {
	t.Helper()
	for _, o := range objects {
		if of, ok := o.(T); ok {
			return of
		}
	}
	t.Fatalf("there is no %T", *new(T))
	panic("unreachable")
}

func TestChart_lint(t *testing.T) {
	for _, m := range lint.All(chart, nil, "web", true).Messages {
		if m.Severity > support.InfoSev {
			t.Error(m)
		}
	}
}

// The chart renders to what Kubernetes accepts, with its own values and with each of its choices.
func TestChart_renders(t *testing.T) {
	objects, err := render(t, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(objects) != 4 {
		t.Errorf("got %d objects, want a deployment, a service, a volume claim and settings", len(objects))
	}
	pod := one[*apps.Deployment](t, objects).Spec.Template.Spec
	c := pod.Containers[0]
	switch s := c.SecurityContext; {
	case s == nil || !*s.ReadOnlyRootFilesystem || *s.AllowPrivilegeEscalation || !*pod.SecurityContext.RunAsNonRoot:
		t.Errorf("the container may write or become root: %+v", s)
	case c.StartupProbe == nil || c.ReadinessProbe == nil || c.LivenessProbe == nil:
		t.Error("a probe is missing")
	case !strings.Contains(c.Image, ":") || strings.HasSuffix(c.Image, ":"):
		t.Errorf("the image is %q", c.Image)
	case len(one[*core.ConfigMap](t, objects).Data) != 0:
		t.Error("an empty setting is set")
	}
	if mounted, claim := pod.Volumes[0].PersistentVolumeClaim.ClaimName,
		one[*core.PersistentVolumeClaim](t, objects).Name; mounted != claim {
		t.Errorf("the volume is %s, and the claim %s", mounted, claim)
	}

	objects, err = render(t, map[string]any{
		"replicas": 3, "secretName": "share-secrets", "persistence.accessMode": "ReadWriteMany",
		"settings.MASTHEAD_BASE_URL": "https://og.example.com", "settings.MASTHEAD_CONNECTIONS": 500,
		"ingress.enabled": true, "ingress.host": "og.example.com", "ingress.tlsSecretName": "og-tls",
		"ingress.className": "nginx", "ingress.annotations": map[string]any{"a.example/b": "c"},
		"nodeSelector": map[string]any{"disk": "ssd"}, "image.tag": "1.2.3",
		"tolerations": []any{map[string]any{"key": "web", "operator": "Exists"}},
	})
	if err != nil {
		t.Fatal(err)
	}
	deployment := one[*apps.Deployment](t, objects)
	c = deployment.Spec.Template.Spec.Containers[0]
	if *deployment.Spec.Replicas != 3 || !strings.HasSuffix(c.Image, ":1.2.3") || len(c.EnvFrom) != 2 {
		t.Errorf("got %d nodes of %s with %v", *deployment.Spec.Replicas, c.Image, c.EnvFrom)
	}
	settings := one[*core.ConfigMap](t, objects).Data
	if fmt.Sprint(settings) != "map[MASTHEAD_BASE_URL:https://og.example.com MASTHEAD_CONNECTIONS:500]" {
		t.Errorf("got the settings %v", settings)
	}
	if tls := one[*networking.Ingress](t, objects).Spec.TLS; len(tls) != 1 || tls[0].SecretName != "og-tls" {
		t.Errorf("got TLS %v", tls)
	}

	if objects, err = render(t, map[string]any{"persistence.existingClaim": "mine"}); err != nil || len(objects) != 3 {
		t.Errorf("with a claim of one's own: got %d objects, %v", len(objects), err)
	}
}

// What can't work is refused with a sentence, before anything is installed.
func TestChart_refuses(t *testing.T) {
	for want, values := range map[string]map[string]any{
		"more than one node needs Postgres":        {"replicas": 2},
		"more than one node needs a shared volume": {"replicas": 2, "secretName": "s"},
		"MASTERHEAD": {"settings.MASTERHEAD_ADDR": "x"},
	} {
		if _, err := render(t, values); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v, want %q", values, err, want)
		}
	}
}
