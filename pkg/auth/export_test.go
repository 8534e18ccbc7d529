package auth

import (
	"context"

	"masthead/pkg/auditlog"
)

// UseCheapHashes makes password hashes at next to no cost.
func (s *Service) UseCheapHashes() { s.hasher.cost = cheapCost }

// HashOf returns a hash at the cost of the service, for comparison with the standard one.
func (s *Service) HashOf(ctx context.Context, password string) (string, error) {
	return s.hasher.hash(ctx, password)
}

// Slots returns the places for hashing at the same time.
func (s *Service) Slots() chan struct{} { return s.hasher.slots }

// HashesWaiting returns how many wait for one of them.
func (s *Service) HashesWaiting() int64 { return s.hasher.waiting.Load() }

// SigningKey returns the key and the id of the present secret.
func (s *Service) SigningKey() (id string, signing []byte) { return s.keys[0].id, s.keys[0].signing }

// What the tests check the rules against.
const (
	HashQueue   = hashQueue
	MaxSessions = maxSessions
	KeptTokens  = keptTokens

	FailureWindow   = failureWindow
	PairFailures    = pairFailures
	AccountFailures = accountFailures
)

// Check returns what is wrong with a new password.
var Check = checkPassword

// Pause returns the wait after a failure, of which n were paid for before.
var Pause = bucket{}.pause

// CommonPasswords is the set of refused passwords.
var CommonPasswords = commonPasswords

// AuditLog returns the audit log of the service, for another service beside it.
func (s *Service) AuditLog() *auditlog.Log { return s.auditlog }
