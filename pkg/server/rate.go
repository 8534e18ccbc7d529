package server

import (
	"strconv"
	"time"

	"github.com/labstack/echo/v4"

	"masthead/pkg/apperr"
	"masthead/pkg/identity"
	"masthead/pkg/limit"
)

// rateWindows are the windows in which requests are counted, by the names that x-rate-bucket of the document has for
// them.
func (c Config) rateWindows() map[string]*limit.Window {
	return map[string]*limit.Window{"auth": limit.NewWindow(c.AuthRPM)}
}

// limited counts requests in w by the network that they come from, and writes the three headers on every response,
// errors included.
func limited(w *limit.Window) echo.MiddlewareFunc {
	return func(next echo.HandlerFunc) echo.HandlerFunc {
		return func(c echo.Context) error {
			result, err := w.Take(c.Request().Context(), identity.CallerOf(c.Request().Context()).Network())
			if err != nil {
				return err
			}
			h := c.Response().Header()
			h.Set("X-RateLimit-Limit", strconv.FormatInt(result.Limit, 10))
			h.Set("X-RateLimit-Remaining", strconv.FormatInt(result.Remaining, 10))
			h.Set("X-RateLimit-Reset", strconv.FormatInt(result.Reset.Unix(), 10))
			if result.Reached {
				return &apperr.Error{
					Code:       apperr.RateLimited,
					Detail:     "Too many requests from your address; try again after the seconds in Retry-After.",
					RetryAfter: time.Until(result.Reset),
				}
			}
			return next(c)
		}
	}
}
