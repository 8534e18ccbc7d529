-- +goose Up
ALTER TABLE subscriptions ADD COLUMN closed_until BIGINT; -- no checkout starts before it: the account is being deleted
