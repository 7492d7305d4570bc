-- From the schema of release 0.1.0 to the first migrations of this one; the functions follow.

-- Points leases go. What was leased is available at once: it is neither posted nor pending. What a
-- process had spooled of requests that only its memory knew is charged when its spool is replayed.
drop trigger if exists points_lease_end on node;
drop trigger if exists points_lease_stop on account;
drop table if exists points_lease;
drop function if exists points_lease_end();
drop function if exists points_lease_stop();
drop function if exists ledger_recall(text);
drop function if exists ledger_apply_leased(text, text[], json, json, json, json, json);
drop function if exists ledger_apply_whole(text, text[], json);
drop function if exists ledger_apply_written(json);
drop function if exists ledger_lease_acts(text, json);
alter table wallet drop column if exists leased, drop column if exists leases_from;
-- Neither seals nor the readers of archives know it.
alter table operation drop column if exists is_whole;

-- It was added without a look at the rows, and the look was left out.
alter table notification validate constraint notification_kind_check;
