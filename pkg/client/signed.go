package client

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"time"
)

// SignedURL returns an address of /og with its signature: address has the publicId of a project and all parameters, key
// is one of the project's signing keys. The address is valid until a time; without end if that is zero.
func SignedURL(address, key string, until time.Time) (string, error) {
	u, err := url.Parse(address)
	if err != nil {
		return "", fmt.Errorf("sign an address: %w", err)
	}
	query, err := url.ParseQuery(u.RawQuery)
	if err != nil {
		return "", fmt.Errorf("sign an address: %w", err)
	}
	query.Del("sig")
	if !until.IsZero() {
		query.Set("exp", strconv.FormatInt(until.Unix(), 10))
	}
	mac := hmac.New(sha256.New, []byte(key))
	_, _ = mac.Write([]byte(canonicalQuery(query))) // a hash never fails
	query.Set("sig", base64.RawURLEncoding.EncodeToString(mac.Sum(nil)))
	u.RawQuery = query.Encode()
	return u.String(), nil
}

// canonicalQuery returns what of a query is signed. Source: docs/publishing.md#signed-addresses.
func canonicalQuery(query url.Values) string {
	var pairs []string
	for _, name := range []string{
		"accent", "ai", "aiModel", "aiPrompt", "aspectRatio", "dark", "exp", "font", "kind", "logoPosition", "logoUrl",
		"size", "template", "url", "v",
	} {
		for _, value := range query[name] {
			pairs = append(pairs, name+"="+strings.ReplaceAll(url.QueryEscape(value), "+", "%20"))
		}
	}
	return strings.Join(pairs, "&")
}
