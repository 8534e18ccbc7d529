-- +goose Up
-- Failed emails can be sent again, so the data of refused ones is kept from now on. '' marks those that were refused
-- before: they can't be sent again.
UPDATE mails SET data = '' WHERE state = 'refused';
CREATE INDEX mails_unsent ON mails (id) WHERE state <> 'sent';
