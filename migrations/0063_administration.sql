-- +goose Up
-- For operators, who look for what an account did, and for actions.
CREATE INDEX audit_events_actor ON audit_events (actor_id, id);
CREATE INDEX audit_events_action ON audit_events (action, id);
-- Why an operator gave the plan.
ALTER TABLE users ADD COLUMN gift_reason TEXT NOT NULL DEFAULT '';
