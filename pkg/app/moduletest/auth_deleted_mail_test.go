package moduletest_test

import (
	"net/http"
	"testing"

	"masthead/pkg/app/apptest"
)

// An address that nobody confirmed may be a stranger's, so it isn't told that its account was deleted.
func TestDeleteAccount_tellsConfirmedAddressesAlone(t *testing.T) {
	t.Parallel()
	apptest.OnBoth(t, func(t *testing.T, h *apptest.Service) {
		for _, confirmed := range []bool{true, false} {
			account := h.Register()
			if !confirmed {
				_, err := h.App.DB.Exec(t.Context(), `UPDATE users SET email_confirmed_at = NULL WHERE email = ?`, account.Email)
				if err != nil {
					t.Fatal(err)
				}
			}
			h.Send(http.MethodDelete, "/users/me", nil, apptest.Bearer(account.Access)).Want(http.StatusNoContent)
			var mails int
			err := h.App.DB.Get(t.Context(), &mails, `SELECT COUNT(*) FROM mails WHERE recipient = ?`, account.Email)
			if err != nil || mails == 1 != confirmed {
				t.Errorf("confirmed %v: got %d mails, %v", confirmed, mails, err)
			}
		}
	})
}
