/** What a budget that renews keeps, whatever runs at the same time: of a key, of a member, of a tag. */
import type pg from "pg";
import { expect } from "vitest";
import { onlyRow } from "@/lib/db/only-row";
import type { HoldRequest, HoldResult } from "@/lib/ledger/core/verbs";
import type { OpenLedger } from "@/lib/ledger/ledger";
import { pause } from "@/lib/timing/pause";
import { extent } from "../extent/extent";
import { zoneWithMidnightIn } from "./midnight";
import { releaseOf, settleOf } from "./test-ledger";

interface Budgeted {
  readonly ledgerAt: (at: number) => OpenLedger;
  /** A new hold of 10 that the budget counts. */
  readonly holdAt: (at: number) => HoldRequest | Promise<HoldRequest>;
}

export const countOf = (results: readonly HoldResult[], name: HoldResult["result"]) =>
  results.filter(({ result }) => result === name).length;

/** Of a budget of 105 a day: ten of the callers get their hold. Resolves with one of the refusals. */
export async function expectTenOf(
  callers: number,
  refusal: HoldResult["result"],
  { ledgerAt, holdAt }: Budgeted,
): Promise<HoldResult | undefined> {
  const holds = await Promise.all(Array.from({ length: callers }, (_, at) => holdAt(at)));
  const results = await Promise.all(holds.map((hold, at) => ledgerAt(at).openHold(hold)));
  expect([countOf(results, "held"), countOf(results, refusal)]).toEqual([10, callers - 10]);
  const refused = results.find(({ result }) => result === refusal);
  const tomorrow = new Date(Math.ceil(Date.now() / 86_400_000) * 86_400_000);
  expect(refused).toMatchObject({ remaining: 5n, renewal: { period: "day", at: tomorrow } });
  return refused;
}

interface Renewed extends Budgeted {
  readonly client: pg.ClientBase;
  /** Sets a budget of 100 a day in the zone. */
  readonly set: (zone: string) => Promise<void>;
  readonly rows: () => Promise<readonly { readonly starts: Date; readonly ends: Date }[]>;
  /** Until the midnight over which it renews. */
  readonly milliseconds: number;
}

/**
 * Over the renewal at midnight both days admit ten holds, and each keeps its own: of twenty callers
 * at once, until after midnight, whose holds stay open over it.
 */
export async function expectTenOnBothDays(renewed: Renewed): Promise<void> {
  const { client, ledgerAt, holdAt, rows, milliseconds } = renewed;
  const { now } = onlyRow(await client.query<{ now: Date }>("select clock_timestamp() as now"));
  await renewed.set(zoneWithMidnightIn(milliseconds, now.getTime()));
  const [before] = await rows();
  const midnight = before?.ends ?? new Date(0);
  expect(midnight.getTime() - Date.now()).toBeLessThan(milliseconds * 3);
  const held: HoldRequest[] = [];
  let refused = 0;
  const caller = async (at: number) => {
    for (let turn = at; Date.now() < midnight.getTime() + 700; turn++) {
      const hold = await holdAt(turn);
      if ((await ledgerAt(turn).openHold(hold)).result === "held") held.push(hold);
      else refused++;
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, at) => caller(at)));
  const known = await client.query<{ id: string }>(
    "select id from request_known where id = any($1) and created_at >= $2",
    [held.map(({ operationId }) => operationId), midnight],
  );
  const isNew = (hold: HoldRequest) => known.rows.some(({ id }) => id === hold.operationId);
  const [ofOldDay, ofNewDay] = [held.filter((hold) => !isNew(hold)), held.filter(isNew)];
  expect([ofOldDay.length, ofNewDay.length]).toEqual([10, 10]);
  expect(refused).toBeGreaterThan(0);
  // The old ones end after midnight, at half of what they held: nothing of it is in the new day.
  for (const hold of ofOldDay) await ledgerAt(1).settle(settleOf(hold, 5n));
  expect(await rows()).toMatchObject([{ spent: 0, held: 100, starts: before?.ends }]);
  expect(await ledgerAt(0).openHold(await holdAt(0))).toMatchObject({ remaining: 0n });
  for (const hold of ofNewDay) await ledgerAt(2).settle(settleOf(hold, 5n));
  expect(await rows()).toMatchObject([{ spent: 50, held: 0 }]);
}

/** Limits that `change` sets, lifts and moves admit all of what runs meanwhile, until it all ended. */
export async function holdWhile(
  change: (turn: number) => Promise<void>,
  { ledgerAt, holdAt }: Budgeted,
): Promise<void> {
  let isOver = false;
  const changer = async () => {
    for (let turn = 0; turn < extent(24, 60); turn++) {
      await change(turn);
      await pause(5);
    }
    isOver = true;
  };
  const worker = async (at: number) => {
    for (let turn = at; !isOver; turn++) {
      const hold = await holdAt(turn);
      expect(await ledgerAt(turn).openHold(hold)).toMatchObject({ result: "held" });
      if (turn % 2) await pause(3);
      const other = ledgerAt(turn + 1);
      await (turn % 3 ? other.settle(settleOf(hold, 4n)) : other.release(releaseOf(hold)));
    }
  };
  await Promise.all([changer(), ...Array.from({ length: 16 }, (_, at) => worker(at))]);
}
