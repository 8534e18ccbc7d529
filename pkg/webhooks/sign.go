package webhooks

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	secretPrefix = "whsec_"
	secretBytes  = 32
)

// newSecret returns a secret as Standard Webhooks writes it: whsec_ and 32 bytes in base64.
func newSecret() string {
	var b [secretBytes]byte
	_, _ = rand.Read(b[:]) // it never fails: https://pkg.go.dev/crypto/rand#Read
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:])
}

// Header returns the headers of a message, signed with each of the secrets; without one, it isn't signed.
func Header(id string, at time.Time, body []byte, secrets ...string) http.Header {
	timestamp := strconv.FormatInt(at.Unix(), 10)
	signatures := make([]string, len(secrets))
	for i, secret := range secrets {
		key, _ := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, secretPrefix)) // newSecret made it
		mac := hmac.New(sha256.New, key)
		_, _ = mac.Write([]byte(id + "." + timestamp + "."))
		_, _ = mac.Write(body)
		signatures[i] = "v1," + base64.StdEncoding.EncodeToString(mac.Sum(nil))
	}
	h := http.Header{
		"Content-Type": {"application/json"}, "Webhook-Id": {id}, "Webhook-Timestamp": {timestamp},
	}
	if len(signatures) > 0 {
		h["Webhook-Signature"] = []string{strings.Join(signatures, " ")}
	}
	return h
}
