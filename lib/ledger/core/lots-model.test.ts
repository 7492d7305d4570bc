/**
 * Random events of an account on several connections, which are ended in between: what was committed
 * was answered as a plain reference answers it in that order, and the same points are left.
 */
import pg from "pg";
import { beforeAll, expect, test } from "vitest";
import { showStatement } from "@/lib/queries/statement";
import { ownerUrlOf } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { type Random, seeded } from "@/testing/extent/random";
import { type Event, Events } from "@/testing/ledger/lots/events";
import { LotReference } from "@/testing/ledger/lots/reference";
import { connect, openLedgerDatabase, seedAccount } from "@/testing/ledger/test-ledger";
import { opened } from "@/testing/unit/opened";
import { parsePoints } from "../../money/points";
import { auditLedger } from "../audit/audit";

const database = await opened(openLedgerDatabase());
const pool = await opened(new pg.Pool({ connectionString: database.url }));
const killer = await opened(new pg.Pool({ connectionString: ownerUrlOf(database.url) }));
beforeAll(async () => {
  // In the order of the wallet's lock: each event notes itself before its commit.
  await database.client.query(
    "create table event_done (number integer primary key, account text, place bigint generated always as identity, answer text)",
  );
});

const DAY_MS = 86_400_000;
const CONNECTIONS = 4;
const KILLED = 0.04;

/** Whether it was committed is in its table, not in what its connection said. */
async function run(client: pg.ClientBase, account: string, number: number, event: Event) {
  await client.query("begin");
  await client.query("select from wallet where account_id = $1 for update", [account]);
  const answer = await event.ask(client);
  await client.query("insert into event_done (number, account, answer) values ($1, $2, $3)", [
    number,
    account,
    answer,
  ]);
  await client.query("commit");
}

let numbers = 0;

interface Play {
  readonly account: string;
  readonly events: Events;
  readonly asked: Map<number, Event>;
  readonly random: Random;
}

async function openConnection(): Promise<{ client: pg.Client; pid: number }> {
  const client = await connect(database.url);
  const { rows } = await client.query<{ pid: number }>("select pg_backend_pid() as pid");
  return { client, pid: rows[0]?.pid ?? 0 };
}

/** Events one after the other on one connection; the connections' events meet at the wallet. */
async function playOn({ account, events, asked, random }: Play, steps: number): Promise<void> {
  let open = await openConnection();
  for (let step = 0; step < steps; step++) {
    const number = ++numbers;
    const event = events.next();
    asked.set(number, event);
    const ended = run(open.client, account, number, event);
    if (random.next() >= KILLED) {
      await ended;
      continue;
    }
    const failed = ended.catch(() => {});
    await killer.query("select pg_terminate_backend($1)", [open.pid]);
    await failed;
    await open.client.end().catch(() => {});
    open = await openConnection();
  }
  await open.client.end();
}

/** Every event that was committed, in the order of the wallet's lock, is answered as the reference answers it. */
async function replay({ account, asked }: Play): Promise<LotReference> {
  const reference = new LotReference();
  const { rows } = await database.client.query<{ number: number; answer: string }>(
    "select number, answer from event_done where account = $1 order by place",
    [account],
  );
  for (const { number, answer } of rows)
    expect([number, asked.get(number)?.expect(reference)]).toEqual([number, answer]);
  return reference;
}

async function linesOf(query: string, account: string): Promise<string[]> {
  const { rows } = await database.client.query<{ line: string }>(query, [account]);
  return rows.map(({ line }) => line);
}
const numbered =
  "(select id, row_number() over (order by id) - 1 as n from point_lot where account_id = $1)";
const left = `select x.n || ' ' || l.left_now || ' ' || l.held_now as line from point_lot_now l
  join ${numbered} x using (id) where l.account_id = $1 and l.left_now > 0 order by l.ends_at, l.id`;
const expiries = `select x.n || ' ' || e.amount as line from ledger_entry e
  join ${numbered} x on x.id::text = split_part(e.ref, ':', 2) where e.account_id = $1 and e.kind = 'expiry' order by e.id`;
const wallet = `select credits_posted || ' ' || debits_posted || ' ' || debits_pending as line
  from wallet where account_id = $1`;

async function expectSame(account: string, reference: LotReference): Promise<void> {
  const { credits, debits, pending, available } = reference;
  expect(available >= 0n).toBe(true);
  expect(await linesOf(wallet, account)).toEqual([`${credits} ${debits} ${pending}`]);
  expect(await linesOf(left, account)).toEqual(reference.left());
  expect(await linesOf(expiries, account)).toEqual(reference.expiries);
}

/** What began and was added, less what was taken and charged, is what is there. */
async function expectStatement(account: string, { credits, debits }: LotReference): Promise<void> {
  const [from, to] = [new Date(Date.now() - 15 * DAY_MS), new Date(Date.now() + 15 * DAY_MS)];
  const days = { from: from.toISOString().slice(0, 10), to: to.toISOString().slice(0, 10) };
  const shown = await showStatement({ pool }, { accountId: account, ...days });
  const points = (text: string) => parsePoints(text) ?? 0n;
  expect(points(shown.closing)).toBe(credits - debits);
  expect(points(shown.credits)).toBe(credits);
  expect(points(shown.takenBack) + points(shown.charges)).toBe(debits);
}

test(
  "any events on several connections that are killed leave what the reference has",
  async () => {
    for (let seed = 1; seed <= extent(4, 120); seed++) {
      const random = seeded(seed);
      const seededAccount = await seedAccount(database.client, database.ledger, 0n);
      const account = seededAccount.accountId;
      const events = new Events(seededAccount, random, database.ledger.nodeId);
      const play = { account, events, asked: new Map<number, Event>(), random };
      await Promise.all(Array.from({ length: CONNECTIONS }, () => playOn(play, 60)));
      const reference = await replay(play);
      await expectSame(account, reference);
      await expectStatement(account, reference);
    }
    const { checks } = await auditLedger(database.client);
    expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  },
  extent(120_000, 1_800_000),
);
