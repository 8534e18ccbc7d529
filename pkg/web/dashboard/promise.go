package dashboard

import (
	"github.com/labstack/echo/v4"

	"masthead/gen"
	"masthead/pkg/server"
	"masthead/pkg/web/frame"
)

// promise says how the account will be told of the end of work in the background, which package notifications does if
// it takes longer than a minute; "" if the account doesn't want to be told. of is the operation getPreferences.
func promise(c echo.Context, sh *frame.Shell, of *server.Operation, kind gen.NotificationKind) (string, error) {
	var all gen.NotificationPreferences
	if err := frame.Read(c, of, server.Input{}, &all); err != nil {
		return "", err
	}
	me, err := sh.User(c)
	if err != nil {
		return "", err
	}
	for _, p := range all.Items {
		switch {
		case p.Kind != kind:
		case p.Mail && sh.SendsMail && me.EmailConfirmed && !me.EmailRefused:
			return "If it takes longer than a minute, we’ll email you when it’s done.", nil
		case p.Inbox:
			return "If it takes longer than a minute, you’ll get a notification when it’s done.", nil
		}
	}
	return "", nil
}
