package app_test

import (
	"bytes"
	"encoding/binary"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"strings"

	"masthead/fonts"
	"masthead/pkg/app/apptest"
	"masthead/pkg/assets"
)

// aLogo is a small picture in a color, as a file.
func aLogo(c color.NRGBA) string {
	img := image.NewNRGBA(image.Rect(0, 0, 40, 10))
	for i := range 400 {
		img.SetNRGBA(i%40, i/40, c)
	}
	var file bytes.Buffer
	_ = png.Encode(&file, img) // memory takes all of it
	return file.String()
}

var redLogo = aLogo(color.NRGBA{R: 200, A: 255})

// assetsOf is the path of the assets of a new project of the harness.
func assetsOf(h *apptest.Service) string { return "/projects/" + h.NewProject(h.Session) + "/assets" }

// withAsset sends a request about an asset of the harness.
func withAsset(method string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		me, of := apptest.Bearer(h.Session.Access), assetsOf(h)
		made := h.Post(of, redLogo, me).Want(http.StatusCreated)
		return h.Send(method, prefix+of+"/"+made.Text("id"), nil, me)
	}
}

// uploads sends a body to the assets of a new project.
func uploads(body any) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		return h.Post(prefix+assetsOf(h)+"?name=Logo", body, apptest.Bearer(h.Session.Access))
	}
}

const nobodysAssets = "/projects/" + apptest.Nobody + "/assets"

var _ = contract(map[string]map[int]contractCase{
	"listAssets": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			me, of := apptest.Bearer(h.Session.Access), assetsOf(h)
			h.Post(of, redLogo, me).Want(http.StatusCreated)
			return h.Get(prefix+of, me)
		},
		400: asUser("GET", nobodysAssets+"?limit=0", nil),
		401: anonymous("GET", nobodysAssets, nil),
		404: asUser("GET", nobodysAssets, nil),
	},
	"createAsset": {
		201: uploads(redLogo),
		400: uploads(redLogo[:len(redLogo)/2]),
		401: anonymous("POST", nobodysAssets, redLogo),
		402: func(h *apptest.Service, prefix string) *apptest.Response {
			full := h.Register()
			me, of := apptest.Bearer(full.Access), "/projects/"+h.NewProject(full)+"/assets"
			id := h.Post(of, redLogo, me).Want(http.StatusCreated).Text("id")
			if _, err := h.App.DB.Exec(h.T().Context(), `UPDATE assets SET size = 10000000 WHERE id = ?`, id); err != nil {
				h.T().Fatal(err)
			}
			return h.Post(prefix+of, aLogo(color.NRGBA{G: 200, A: 255}), me)
		},
		403: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+assetsOf(h), redLogo, elsewhere(h))
		},
		404: asUser("POST", nobodysAssets, redLogo),
		409: func(h *apptest.Service, prefix string) *apptest.Response {
			font, err := fonts.Find("instrument-serif", 400, false).Data()
			if err != nil {
				h.T().Fatal(err)
			}
			me, of := apptest.Bearer(h.Session.Access), assetsOf(h)
			head := binary.BigEndian.Uint32(font[bytes.Index(font[:400], []byte("head"))+8:])
			for i := range assets.MaxFonts + 1 { // the file's date makes each another one
				other := bytes.Clone(font)
				other[head+27] = byte(i + 1)
				if i == assets.MaxFonts {
					return h.Post(prefix+of, string(other), me)
				}
				h.Post(of, string(other), me).Want(http.StatusCreated)
			}
			return nil
		},
		413: uploads(strings.Repeat("x", 2<<20+1)),
		415: uploads("%PDF-1.7 no picture"),
	},
	"getAsset": {
		200: withAsset("GET"),
		400: asUser("GET", nobodysAssets+"/1", nil),
		401: anonymous("GET", nobodysAssets+"/"+apptest.Nobody, nil),
		404: asUser("GET", nobodysAssets+"/"+apptest.Nobody, nil),
	},
	"deleteAsset": {
		204: withAsset("DELETE"),
		400: asUser("DELETE", nobodysAssets+"/1", nil),
		401: anonymous("DELETE", nobodysAssets+"/"+apptest.Nobody, nil),
		403: crossSite("DELETE", nobodysAssets+"/"+apptest.Nobody, nil),
		404: asUser("DELETE", nobodysAssets+"/"+apptest.Nobody, nil),
	},
})
