-- +goose Up
-- Where the plan of an account comes from: a gift from the operator or a subscription. The plan itself is the larger of
-- those that haven't ended.
ALTER TABLE users ADD COLUMN gift_plan TEXT NOT NULL DEFAULT 'free';
ALTER TABLE users ADD COLUMN gift_until BIGINT; -- NULL: no end
ALTER TABLE users ADD COLUMN paid_plan TEXT NOT NULL DEFAULT 'free'; -- as of the last reading of the subscription
ALTER TABLE users ADD COLUMN paid_until BIGINT; -- NULL: until the subscription is read again
ALTER TABLE users ADD COLUMN plan_until BIGINT; -- when the plan must be determined again; NULL: never
UPDATE users SET gift_plan = plan; -- so far, operators set all plans
CREATE INDEX users_plan_until ON users (plan_until) WHERE plan_until IS NOT NULL;
