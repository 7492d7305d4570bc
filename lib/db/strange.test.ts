import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { createBackup } from "../backup/create-backup";
import { restoreBackup } from "../backup/restore-backup";
import { readSettings } from "../settings/settings";
import { readFunctions } from "./function-files";
import { openDatabase } from "./open";
import { strangeObjects } from "./strange";

const root = join(import.meta.dirname, "../..");
const functions = readFunctions(root).map(({ name }) => name);

const others = `
create procedure drive(a text, b integer, c integer) language sql as 'select 1';
create aggregate "Sum Of"(integer) (sfunc = int4pl, stype = integer);
create function ledger_hold(text) returns integer language sql as 'select 7';
create table "Other Table" (id serial primary key, "order" text);
create table "closed" (id integer); revoke all on "closed" from public;
create view some_view as select 1 as one;
create materialized view kept_view as select 1 as one;
create function notes() returns trigger language plpgsql as 'begin return new; end';
create trigger noted after insert on notice for each row execute function notes();
create type mood as enum ('good');
create domain age as integer check (value > 0);
create type pair as (one integer, two integer);
create type spans as range (subtype = integer);
create rule ruled as on insert to notice do also notify strange;
create policy allowed on notice using (true);
alter table incident enable row level security;
create table watching (account_id text references account (id));
create table younger () inherits (operator_loss);
create extension if not exists citext;
create function on_command() returns event_trigger language plpgsql as 'begin end';
create event trigger noted_command on ddl_command_end execute function on_command();
create schema relay_app; grant usage on schema relay_app to relay_app;
create table relay_app.wallet (account_id text); grant all on relay_app.wallet to relay_app`;

test("what others made in the database neither keeps the server from starting nor is changed, and is named", async () => {
  const url = await createTestDatabase();
  const owner = await connect(url);
  onTestFinished(() => owner.end());
  const rights = async () =>
    (
      await owner.query(
        `select proname as name, proacl::text as rights, prosecdef as definer from pg_proc where proname in ('drive', 'Sum Of', 'notes') or (proname = 'ledger_hold' and pronargs = 1)
         union all select relname, relacl::text, false from pg_class where relname in ('Other Table', 'closed', 'some_view') order by 1`,
      )
    ).rows;
  expect(await strangeObjects(owner, functions)).toEqual([]);
  await owner.query(others);
  const before = await rights();
  for (const DATABASE_OWNER_URL of [ownerUrlOf(url), ""]) {
    const opened = await openDatabase(
      readSettings({ DATABASE_URL: url, DATABASE_OWNER_URL }),
      root,
    );
    await opened.close();
  }
  expect(await rights()).toEqual(before);
  const ledger = await openTestLedger(url);
  expect(await ledger.balance("acct_nobody")).toEqual({ available: 0n, held: 0n });
  await ledger.close();
  expect(await strangeObjects(owner, functions)).toEqual([
    'aggregate "Sum Of"(integer)',
    "domain age",
    "event trigger noted_command",
    "foreign key watching_account_id_fkey on watching",
    "function ledger_hold(text)",
    "function notes()",
    "function on_command()",
    "policy allowed on notice",
    "procedure drive(text,integer,integer)",
    "row security of incident",
    "rule ruled on notice",
    'table "Other Table"',
    "table closed",
    "table watching",
    "table younger",
    "trigger noted on notice",
    "type mood",
    "type pair",
    "type spans",
    "view kept_view",
    "view some_view",
    "younger, which inherits from operator_loss",
  ]);
  const file = join(newFolder("strange"), "backup");
  const { tables } = await createBackup(url, file);
  expect(tables).toBeGreaterThan(50);
  await expect(
    restoreBackup({ ownerUrl: ownerUrlOf(url), applicationRole: "relay_app" }, file, root),
  ).rejects.toThrow('the database has what is not the product\'s: aggregate "Sum Of"(integer)');
});
