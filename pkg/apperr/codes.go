package apperr

// Code identifies a kind of error. Codes are part of the API, so their meaning never changes.
type Code string

// The codes that responses can carry.
const (
	BadRequest           Code = "BAD_REQUEST"
	Unauthorized         Code = "UNAUTHORIZED"
	TierLocked           Code = "TIER_LOCKED"
	Forbidden            Code = "FORBIDDEN"
	NotFound             Code = "NOT_FOUND"
	MethodNotAllowed     Code = "METHOD_NOT_ALLOWED"
	NotAcceptable        Code = "NOT_ACCEPTABLE"
	Conflict             Code = "CONFLICT"
	IdempotencyMismatch  Code = "IDEMPOTENCY_MISMATCH"
	PayloadTooLarge      Code = "PAYLOAD_TOO_LARGE"
	UnsupportedMediaType Code = "UNSUPPORTED_MEDIA_TYPE"
	RateLimited          Code = "RATE_LIMITED"
	Internal             Code = "INTERNAL"
	UpstreamFailed       Code = "UPSTREAM_FAILED"
	Unavailable          Code = "UNAVAILABLE"
)

// Meaning is how a code appears in responses.
type Meaning struct {
	// Status is the HTTP status of the response.
	Status int
	// Title is a short text, the same for every fault with this code.
	Title string
}

var meanings = map[Code]Meaning{
	BadRequest:           {400, "The request is not valid"},
	Unauthorized:         {401, "Credentials are missing or not valid"},
	TierLocked:           {402, "The plan does not have this"},
	Forbidden:            {403, "The credentials do not allow this"},
	NotFound:             {404, "Not found"},
	MethodNotAllowed:     {405, "The address does not take this method"},
	NotAcceptable:        {406, "The response has another media type"},
	Conflict:             {409, "The request conflicts with what exists"},
	IdempotencyMismatch:  {422, "The Idempotency-Key was used with a different request"},
	PayloadTooLarge:      {413, "The request is too large"},
	UnsupportedMediaType: {415, "The body has the wrong media type"},
	RateLimited:          {429, "Too many requests"},
	Internal:             {500, "Something went wrong here"},
	UpstreamFailed:       {502, "The page could not be read"},
	Unavailable:          {503, "The service cannot take this now"},
}

// Meaning returns the status and title of c, or those of [Internal] if c is not in the table.
func (c Code) Meaning() Meaning {
	if m, ok := meanings[c]; ok {
		return m
	}
	return meanings[Internal]
}

// OfStatus returns the code for an HTTP status of 400 or above, or [Internal] if no code has that status.
func OfStatus(status int) Code {
	for code, m := range meanings {
		if m.Status == status {
			return code
		}
	}
	if status >= 400 && status < 500 {
		return BadRequest
	}
	return Internal
}

// Codes returns all codes in no particular order.
func Codes() []Code {
	codes := make([]Code, 0, len(meanings))
	for code := range meanings {
		codes = append(codes, code)
	}
	return codes
}
