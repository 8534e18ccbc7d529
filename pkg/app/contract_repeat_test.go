package app_test

import (
	"context"

	"masthead/pkg/app/apptest"
)

// again makes a request one that may be sent again.
var again = apptest.Header("Idempotency-Key", "contract")

// mismatched sends a request whose key belongs to another one.
func mismatched(send contractCase) contractCase {
	return repeated(send, `UPDATE idempotency_keys SET request_digest = ''`)
}

// running sends a request of which the first is still running.
func running(send contractCase) contractCase {
	return repeated(send, `UPDATE idempotency_keys SET status = NULL`)
}

// twice sends a request and its repeat.
func twice(send contractCase) contractCase {
	return repeated(send, `UPDATE idempotency_keys SET status = status`)
}

// repeated sends a request twice, and changes what is kept of the first before the second.
func repeated(send contractCase, change string) contractCase {
	return func(h *apptest.Service, prefix string) *apptest.Response {
		if _, err := h.App.DB.Exec(context.Background(), `DELETE FROM idempotency_keys`); err != nil {
			panic(err)
		}
		send(h, prefix)
		if _, err := h.App.DB.Exec(context.Background(), change); err != nil {
			panic(err)
		}
		return send(h, prefix)
	}
}
