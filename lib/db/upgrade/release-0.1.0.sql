-- The end of the way from release 0.1.0, after its requests were copied and compared: what is old
-- goes. The views and types of this release follow, then its functions.

-- Their columns are others now.
drop view ledger_journal, usage_row;

drop table open_operation, operation, settlement, ledger_upgrade;
-- All requests are in the sums.
drop table usage_backfill;

-- Points leases go. What was leased is available at once: it is neither posted nor pending. What a
-- process had spooled of requests that only its memory knew is charged when its spool is replayed.
drop trigger points_lease_end on node;
drop trigger points_lease_stop on account;
drop table points_lease;

-- The triggers of the tables that stay are made again with their functions.
drop function ledger_apply, ledger_apply_leased, ledger_apply_one_by_one, ledger_apply_whole,
  ledger_apply_written, ledger_lease_acts, ledger_member_end, ledger_member_hold,
  ledger_member_rooms, ledger_recall, ledger_refuse_dropped, operation_exists, operation_opens,
  points_lease_end, points_lease_stop, settlement_agrees_with_task, settlement_ends,
  usage_count_earlier cascade;
-- A migration drops their tables.
drop routine usage_block_at, usage_block_of, usage_blocks_audited, usage_cut_at, usage_cut_audited,
  usage_cut_hours, usage_cut_minutes, usage_entries, usage_make_blocks;

alter table wallet drop column leased, drop column leases_from,
  add column has_limits boolean not null default false;
update wallet w set has_limits = true, version = version + 1
  where exists (select from api_key_budget b where b.account_id = w.account_id)
    or exists (select from member_budget b where b.account_id = w.account_id);

-- It was added without a look at the rows, and the look was left out.
alter table notification validate constraint notification_kind_check;
