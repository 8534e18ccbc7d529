-- +goose Up
-- What waits for an endpoint in its order, however much it is.
CREATE INDEX webhook_deliveries_order ON webhook_deliveries (webhook_id, event_at, id) WHERE state = 'waiting';
-- Responses that are shortened once there are newer ones.
CREATE INDEX webhook_attempts_long ON webhook_attempts (id) WHERE LENGTH(response) > 1000;
