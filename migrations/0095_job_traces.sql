-- +goose Up
-- The trace in which a job was enqueued, as a traceparent header (https://www.w3.org/TR/trace-context/): what runs the
-- job continues it. Empty for a job that isn't traced, or that is for later.
ALTER TABLE jobs ADD COLUMN trace TEXT NOT NULL DEFAULT '';
