-- +goose Up
-- The customer of an account at Stripe, its subscription as last read from there, and its last checkout.
CREATE TABLE subscriptions (
	user_id         TEXT PRIMARY KEY REFERENCES users (id) ON DELETE CASCADE,
	customer_id     TEXT UNIQUE, -- NULL until Stripe has created the customer
	version         BIGINT NOT NULL DEFAULT 0, -- incremented with each reading: a reading that was overtaken isn't stored
	subscription_id TEXT NOT NULL DEFAULT '',
	status          TEXT NOT NULL DEFAULT 'none', -- Stripe's, or none
	plan            TEXT NOT NULL DEFAULT 'free', -- of the subscription's price, whatever the status
	billing_period  TEXT NOT NULL DEFAULT '', -- month or year
	period_end      BIGINT,
	ending          BOOLEAN NOT NULL DEFAULT FALSE, -- it is canceled and ends later
	failed_at       BIGINT, -- the first failed payment, while the status is past_due
	read_at         BIGINT NOT NULL,
	checkout_number BIGINT NOT NULL DEFAULT 0, -- part of the idempotency key at Stripe
	checkout_id     TEXT NOT NULL DEFAULT '',
	checkout_price  TEXT NOT NULL DEFAULT '',
	checkout_at     BIGINT
);
CREATE INDEX subscriptions_read ON subscriptions (read_at);
-- Events that were received from Stripe, for 30 days.
CREATE TABLE stripe_events (
	id          TEXT PRIMARY KEY,
	received_at BIGINT NOT NULL
);
CREATE INDEX stripe_events_received ON stripe_events (received_at);
ALTER TABLE users ADD COLUMN payment_disputed_at BIGINT; -- when a disputed payment was first seen
ALTER TABLE users ADD COLUMN payment_refunded_at BIGINT; -- when a refund was first seen
