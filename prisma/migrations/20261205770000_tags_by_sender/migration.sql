-- Who was first to send a tag in its month: an API key, or a user in the playground; and the person
-- behind it. Null: noted before this was kept.
alter table tag_name add column sender text, add column person text;
alter table tag_value add column sender text, add column person text;
