-- +goose Up
-- What was last seen of an account's payments: what operators have reviewed isn't shown again.
ALTER TABLE users ADD COLUMN payment_disputes TEXT NOT NULL DEFAULT ''; -- ids of disputed charges that weren't won
ALTER TABLE users ADD COLUMN payment_refunds BIGINT NOT NULL DEFAULT 0; -- the sum, in the smallest unit of its currency
