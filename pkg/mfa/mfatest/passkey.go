// Package mfatest has a device with passkeys for tests.
package mfatest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
)

// Flags of what the device has done. Source: WebAuthn Level 3, 6.1 (https://www.w3.org/TR/webauthn-3/#flags).
const (
	UserPresent  = 1 << 0
	UserVerified = 1 << 2
	hasKey       = 1 << 6
)

// Device is an authenticator with one passkey for ES256, and the browser that it is used in. Its fields may be changed
// for what a device shouldn't do.
type Device struct {
	Origin  string // of the page that the browser shows
	Flags   byte
	Counter uint32
	Format  string // of the attestation
	ID      []byte
	User    []byte // the handle that the server has given
	Key     *ecdsa.PrivateKey
}

// New returns a device whose browser shows a page of origin.
func New(origin string) *Device {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	id := make([]byte, 16)
	_, _ = rand.Read(id)
	return &Device{Origin: origin, Flags: UserPresent | UserVerified, Format: "none", ID: id, Key: key}
}

// options are the parts of the server's options that the device uses.
type options struct {
	PublicKey struct {
		Challenge string
		RPID      string `json:"rpId"`
		RP        struct{ ID string }
		User      struct{ ID string }
	}
}

func read(raw []byte) (o options) {
	if err := json.Unmarshal(raw, &o); err != nil {
		panic(fmt.Sprintf("the options %s: %v", raw, err))
	}
	return o
}

// Create answers the server's options with a new passkey, as PublicKeyCredential.toJSON() writes it.
func (d *Device) Create(raw []byte) (credential []byte) {
	o := read(raw)
	user, err := base64.RawURLEncoding.DecodeString(o.PublicKey.User.ID)
	if err != nil {
		panic(err)
	}
	d.User = user
	data := d.authenticatorData(o.PublicKey.RP.ID, hasKey)
	data = append(data, make([]byte, 16)...) // AAGUID
	data = binary.BigEndian.AppendUint16(data, uint16(len(d.ID)))
	data = append(data, d.ID...)
	data = append(data, d.publicKey()...)
	object := cborMap(3)
	object = append(append(object, cborText("fmt")...), cborText(d.Format)...)
	object = append(append(object, cborText("attStmt")...), cborMap(0)...)
	object = append(append(object, cborText("authData")...), cborBytes(data)...)
	return d.answer(map[string]any{
		"clientDataJSON":    encode(d.clientData("webauthn.create", o.PublicKey.Challenge)),
		"attestationObject": encode(object), "transports": []string{"internal"},
	})
}

// Sign answers the server's options for signing in.
func (d *Device) Sign(raw []byte) (credential []byte) {
	o := read(raw)
	d.Counter++
	data := d.authenticatorData(o.PublicKey.RPID, 0)
	client := d.clientData("webauthn.get", o.PublicKey.Challenge)
	digest := sha256.Sum256(client)
	signed := sha256.Sum256(append(append([]byte{}, data...), digest[:]...))
	signature, err := ecdsa.SignASN1(rand.Reader, d.Key, signed[:])
	if err != nil {
		panic(err)
	}
	return d.answer(map[string]any{
		"clientDataJSON": encode(client), "authenticatorData": encode(data), "signature": encode(signature),
		"userHandle": encode(d.User),
	})
}

func (d *Device) answer(response map[string]any) []byte {
	b, err := json.Marshal(map[string]any{
		"id": encode(d.ID), "rawId": encode(d.ID), "type": "public-key", "authenticatorAttachment": "platform",
		"clientExtensionResults": map[string]any{}, "response": response,
	})
	if err != nil {
		panic(err)
	}
	return b
}

func (d *Device) clientData(kind, challenge string) []byte {
	return fmt.Appendf(nil, `{"type":%q,"challenge":%q,"origin":%q,"crossOrigin":false}`, kind, challenge, d.Origin)
}

func (d *Device) authenticatorData(rpID string, flags byte) []byte {
	digest := sha256.Sum256([]byte(rpID))
	return binary.BigEndian.AppendUint32(append(digest[:], d.Flags|flags), d.Counter)
}

// publicKey returns the key in COSE's form. Source: RFC 9053, 7.1.1.
func (d *Device) publicKey() []byte {
	point, err := d.Key.PublicKey.Bytes() // 4, x, y
	if err != nil {
		panic(err)
	}
	key := append(cborMap(5), 0x01, 0x02, 0x03, 0x26, 0x20, 0x01) // EC2, ES256, P-256
	key = append(append(key, 0x21), cborBytes(point[1:33])...)
	return append(append(key, 0x22), cborBytes(point[33:])...)
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

// The parts of CBOR that are needed. Source: RFC 8949, 3.
func cborMap(n byte) []byte { return []byte{0xa0 | n} }

func cborText(s string) []byte { return append([]byte{0x60 | byte(len(s))}, s...) } // at most 23 bytes

func cborBytes(b []byte) []byte {
	return append(binary.BigEndian.AppendUint16([]byte{0x59}, uint16(len(b))), b...)
}
