/** A backup from before a migration: the tables as they were, the rows, then everything after them. */
import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createTestDatabase, ownerUrlOf } from "@/testing/db/test-database";
import { writeHistory } from "@/testing/ledger/history";
import { connect, seedPrice } from "@/testing/ledger/test-ledger";
import { newFolder } from "@/testing/unit/new-folder";
import { APPLICATION_ROLE } from "../db/embedded";
import { auditLedger } from "../ledger/audit/audit";
import { countAll } from "../ledger/usage/usage-counter";
import { createBackup } from "./create-backup";
import { restoreBackup } from "./restore-backup";

const root = join(import.meta.dirname, "../..");

/** A later release: a column that is computed of what was there, and a function of a table of its own. */
function laterRelease(): string {
  const project = newFolder("later");
  const migrations = join(project, "prisma/migrations");
  mkdirSync(join(migrations, "20990101000000_later"), { recursive: true });
  for (const name of readdirSync(join(root, "prisma/migrations")))
    symlinkSync(join(root, "prisma/migrations", name), join(migrations, name));
  writeFileSync(
    join(migrations, "20990101000000_later/migration.sql"),
    `alter table account add column requests bigint not null default 0;
     update account a set requests = (select count(*) from request_known r where r.account_id = a.id);
     create table later (id text primary key);`,
  );
  for (const owner of readdirSync(join(root, "lib"))) {
    const folder = join(root, "lib", owner, "sql");
    if (existsSync(folder)) cpSync(folder, join(project, "lib", owner, "sql"), { recursive: true });
  }
  writeFileSync(
    join(project, "lib/db/sql/later_refuse.sql"),
    `create or replace function later_refuse() returns trigger language plpgsql as $$
begin
  raise exception 'later';
end
$$;
create or replace trigger later_refuse before insert on later
  for each row execute function later_refuse();\n`,
  );
  writeFileSync(
    join(project, "lib/db/sql/later_text.sql"),
    "create or replace function later_text(l later) returns text language sql as $$\n  select l.id\n$$;\n",
  );
  return project;
}

test("a backup of an earlier release gets its rows before the migrations, functions and triggers that came since", async () => {
  const from = ownerUrlOf(await createTestDatabase());
  const writer = await connect(from);
  await seedPrice(writer);
  await writeHistory(writer, { accounts: 3, requests: 60, days: 40, open: 2, seed: 3 });
  await countAll(writer);
  await writer.end();
  const file = join(newFolder("earlier"), "backup");
  await createBackup(from, file);

  const ownerUrl = ownerUrlOf(await createTestDatabase());
  await restoreBackup({ ownerUrl, applicationRole: APPLICATION_ROLE }, file, laterRelease());
  const owner = await connect(ownerUrl);
  const { rows } = await owner.query<{ requests: number }>(
    "select sum(requests)::int as requests from account",
  );
  expect(rows).toEqual([{ requests: 60 }]);
  await expect(owner.query("insert into later values ('a')")).rejects.toThrow("later");
  await expect(owner.query("delete from request")).rejects.toThrow("request_append_only");
  expect((await auditLedger(owner)).checks.filter(({ ok }) => !ok)).toEqual([]);
  await owner.end();
});
