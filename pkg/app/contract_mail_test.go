package app_test

import (
	"net/http"
	"strings"

	"masthead/pkg/app/apptest"
	"masthead/pkg/db"
	"masthead/pkg/mail"
)

// aMail is the id of a mail that waits with a link, to a fresh account.
func aMail(h *apptest.Service) string {
	other := h.Register()
	h.Post("/auth/link", map[string]any{"email": other.Email}).Want(http.StatusAccepted)
	return h.LastMail(h.ID(other), "sign_in_link")
}

func toOutbox(of func(h *apptest.Service) string, options ...apptest.RequestOption) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		options := append([]apptest.RequestOption{apptest.Bearer(h.Session.Access)}, options...)
		return h.Send("POST", prefix+"/admin/outbox/"+of(h)+"/link", nil, options...)
	}
}

var _ = contract(map[string]map[int]contractCase{
	"requestLink": {
		202: anonymous("POST", "/auth/link", map[string]any{"email": "nobody@example.com"}),
		400: anonymous("POST", "/auth/link", someBody),
		413: anonymous("POST", "/auth/link", tooLong),
		415: anonymous("POST", "/auth/link", someBody, asText),
		429: throttled(anonymous("POST", "/auth/link", someBody)),
	},
	"confirmLink": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/confirm", map[string]any{"token": h.SignInToken(h.Register())})
		},
		400: anonymous("POST", "/auth/confirm", map[string]any{"token": "x"}),
		401: func(h *apptest.Service, prefix string) *apptest.Response {
			return h.Post(prefix+"/auth/confirm", map[string]any{"token": h.SignInToken(withApp(h))})
		},
		413: anonymous("POST", "/auth/confirm", tooLong),
		415: anonymous("POST", "/auth/confirm", someBody, asText),
		429: throttled(anonymous("POST", "/auth/confirm", someBody)),
	},
	"listOutbox": {
		200: func(h *apptest.Service, prefix string) *apptest.Response {
			aMail(h)
			return h.Get(prefix+"/admin/outbox?state=waiting&limit=1", apptest.Bearer(h.Session.Access))
		},
		400: asUser("GET", "/admin/outbox?state=lost", nil),
		401: anonymous("GET", "/admin/outbox", nil),
		403: asOrdinary("GET", "/admin/outbox", nil),
	},
	"createOutboxLink": {
		200: toOutbox(aMail),
		400: asUser("POST", "/admin/outbox/x/link", nil),
		401: anonymous("POST", "/admin/outbox/"+apptest.Nobody+"/link", nil),
		403: asOrdinary("POST", "/admin/outbox/"+apptest.Nobody+"/link", nil),
		404: asUser("POST", "/admin/outbox/"+apptest.Nobody+"/link", nil),
		409: toOutbox(func(h *apptest.Service) string { // a mail without a link
			other := h.Register()
			id := h.ID(other)
			err := h.App.DB.InTx(h.T().Context(), func(tx *db.Tx) error {
				return h.App.Mail.Send(h.T().Context(), tx, mail.Message{Kind: mail.NewSignIn, AccountID: id, EventID: id})
			})
			if err != nil {
				h.T().Fatal(err)
			}
			return h.LastMail(id, "new_sign_in")
		}),
	},
	"resendOutbox": {
		202: func(h *apptest.Service, prefix string) *apptest.Response {
			id := aMail(h)
			_, err := h.App.DB.Exec(h.T().Context(), `UPDATE mails SET state = 'refused', error = 'no' WHERE id = ?`, id)
			if err != nil {
				h.T().Fatal(err)
			}
			path := prefix + "/admin/outbox/resend?kind=sign_in_link"
			return h.Post(path, nil, apptest.Bearer(h.Session.Access))
		},
		400: asUser("POST", "/admin/outbox/resend?kind=letter", nil),
		401: anonymous("POST", "/admin/outbox/resend", nil),
		403: asOrdinary("POST", "/admin/outbox/resend", nil),
	},
	"unsubscribe": {
		204: func(h *apptest.Service, prefix string) *apptest.Response {
			token := h.App.Mail.UnsubscribeToken(h.ID(h.Session), mail.QuotaReached)
			return h.Send("POST", prefix+"/mail/unsubscribe/"+token, "List-Unsubscribe=One-Click",
				apptest.Header("Content-Type", "application/x-www-form-urlencoded"))
		},
		400: anonymous("POST", "/mail/unsubscribe/"+strings.Repeat("x", 201), nil),
		404: anonymous("POST", "/mail/unsubscribe/x", nil),
		429: throttled(anonymous("POST", "/mail/unsubscribe/x", nil)),
	},
})
