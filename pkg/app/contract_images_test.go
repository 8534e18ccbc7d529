package app_test

import (
	"maps"
	"net/http"
	"strconv"
	"strings"

	"masthead/pkg/app/apptest"
)

var _ = contract(map[string]map[int]contractCase{
	"generateImage": {
		200: generates(nil),
		400: generates(map[string]any{"url": "not an address"}),
		401: anonymous("POST", "/images/generate", someBody),
		402: generates(map[string]any{"ai": map[string]any{"model": "pro"}}),
		403: generates(map[string]any{"projectId": apptest.Nobody}),
		404: generates(map[string]any{"template": "no-such-template"}),
		406: generates(nil, apptest.Header("Accept", "image/jpeg")),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			generates(nil)(h, prefix).Want(http.StatusOK)
			return generates(nil, apptest.Header("If-None-Match", "*"))(h, prefix)
		},
		413: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/images/generate", tooLong, apptest.Bearer(h.Key))
		},
		415: generates(nil, asText),
		422: mismatched(generates(nil, again)),
	},
	"listImages": {
		200: asUser("GET", "/images", nil),
		400: asUser("GET", "/images?limit=0", nil),
		401: anonymous("GET", "/images", nil),
	},
	"getImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix+"/images/"+image.Text("id"), apptest.Bearer(h.Session.Access))
		}),
		400: asUser("GET", "/images/1", nil),
		401: anonymous("GET", "/images/"+apptest.Nobody, nil),
		404: asUser("GET", "/images/"+apptest.Nobody, nil),
	},
	"downloadImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix+"/images/"+image.Text("id")+"/download", apptest.Bearer(h.Session.Access))
		}),
		304: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			path, user := prefix+"/images/"+image.Text("id")+"/download", apptest.Bearer(h.Session.Access)
			tag := h.Get(path, user).Want(http.StatusOK).Header.Get("ETag")
			return h.Get(path, user, apptest.Header("If-None-Match", tag))
		}),
		400: asUser("GET", "/images/"+apptest.Nobody+"/download?extras=maybe", nil),
		401: anonymous("GET", "/images/"+apptest.Nobody+"/download", nil),
		404: asUser("GET", "/images/"+apptest.Nobody+"/download", nil),
	},
	"deleteImage": {
		204: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Send("DELETE", prefix+"/images/"+image.Text("id"), nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("DELETE", "/images/1", nil),
		401: anonymous("DELETE", "/images/"+apptest.Nobody, nil),
		403: crossSite("DELETE", "/images/"+apptest.Nobody, nil),
		404: asUser("DELETE", "/images/"+apptest.Nobody, nil),
	},
	"undeleteImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			path, user := "/images/"+image.Text("id"), apptest.Bearer(h.Session.Access)
			h.Send("DELETE", path+"?undo=true", nil, user).Want(http.StatusNoContent)
			return h.Post(prefix+path+"/undelete", nil, user)
		}),
		400: asUser("POST", "/images/1/undelete", nil),
		401: anonymous("POST", "/images/"+apptest.Nobody+"/undelete", nil),
		403: crossSite("POST", "/images/"+apptest.Nobody+"/undelete", nil),
		404: asUser("POST", "/images/"+apptest.Nobody+"/undelete", nil),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			user := apptest.Bearer(h.Session.Access)
			path := "/images/" + h.Generate("/page/undeleted"+strings.Trim(prefix, "/"), nil).Text("id")
			h.Send("DELETE", path+"?undo=true", nil, user).Want(http.StatusNoContent)
			h.Generate("/page/undeleted"+strings.Trim(prefix, "/"), nil).Want(http.StatusOK)
			return h.Post(prefix+path+"/undelete", nil, user)
		},
	},
	"listImageVersions": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			addVersion(h, image.Text("id"))
			return h.Get(prefix+"/images/"+image.Text("id")+"/versions", apptest.Bearer(h.Session.Access))
		}),
		400: asUser("GET", "/images/1/versions", nil),
		401: anonymous("GET", "/images/"+apptest.Nobody+"/versions", nil),
		404: asUser("GET", "/images/"+apptest.Nobody+"/versions", nil),
	},
	"restoreImageVersion": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			addVersion(h, image.Text("id"))
			return h.Post(prefix+"/images/"+image.Text("id")+"/versions/1/restore", nil, apptest.Bearer(h.Session.Access))
		}),
		400: asUser("POST", "/images/"+apptest.Nobody+"/versions/0/restore", nil),
		401: anonymous("POST", "/images/"+apptest.Nobody+"/versions/1/restore", nil),
		403: crossSite("POST", "/images/"+apptest.Nobody+"/versions/1/restore", nil),
		404: asUser("POST", "/images/"+apptest.Nobody+"/versions/1/restore", nil),
	},
	"getPublicImage": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix + image.Path("publicUrl"))
		}),
		304: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			tag := h.Get(image.Path("publicUrl")).Want(http.StatusOK).Header.Get("ETag")
			return h.Get(prefix+image.Path("publicUrl"), apptest.Header("If-None-Match", tag))
		}),
		400: anonymous("GET", "/og/abcdefghijkl?url=nonsense", nil),
		403: func(h *apptest.Service, prefix string) *apptest.Response {
			id := h.Get("/projects/"+h.Project, apptest.Bearer(h.Session.Access)).Want(http.StatusOK).Text("publicId")
			return h.Get(prefix + "/og/" + id + "?url=https%3A%2F%2Fexample.com%2F")
		},
		404: anonymous("GET", "/og/abcdefghijklmnopqrstuv", nil),
	},
	"getFile": {
		200: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			return h.Get(prefix + image.Path("imageUrl"))
		}),
		304: withImage(func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response {
			tag := h.Get(image.Path("imageUrl")).Want(http.StatusOK).Header.Get("ETag")
			return h.Get(prefix+image.Path("imageUrl"), apptest.Header("If-None-Match", tag))
		}),
		404: anonymous("GET", "/cdn/"+strings.Repeat("0", 64)+"/og.png", nil),
	},
})

// addVersion gives an image an earlier version with the same picture, which the list has, since it counts as another
// one.
func addVersion(h *apptest.Service, id string) {
	for _, query := range []string{
		`INSERT INTO image_versions (image_id, version, owner_id, ai, source, alt, warnings, picture, size, shown_from,
			shown_until) SELECT id, 1, owner_id, ai, source, alt, warnings, id, 1, updated_at, updated_at
			FROM images WHERE id = ? ON CONFLICT DO NOTHING`,
		`INSERT INTO image_version_files
			(image_id, version, position, name, digest, content_type, width, height, size_bytes)
			SELECT image_id, 1, position, name, digest, content_type, width, height, size_bytes
			FROM image_files WHERE image_id = ? ON CONFLICT DO NOTHING`,
	} {
		if _, err := h.App.DB.Exec(h.T().Context(), query, id); err != nil {
			h.T().Fatal(err)
		}
	}
}

// withImage sends a request about a fresh image.
func withImage(send func(h *apptest.Service, prefix string, image *apptest.Response) *apptest.Response) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return send(h, prefix, h.Generate("/page/"+strconv.FormatInt(apptest.Serial(), 10), nil).Want(http.StatusOK))
	}
}

// generate asks for an image with the fields of more.
func generates(more map[string]any, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		body := map[string]any{"url": h.Site.At("/page/contract"), "projectId": h.Project}
		maps.Copy(body, more)
		return h.Post(prefix+"/images/generate", body, append([]apptest.RequestOption{apptest.Bearer(h.Key)}, options...)...)
	}
}
