/** Holds of many callers over a midnight, at which budgets of a day renew. */
import type pg from "pg";
import type { HoldRequest } from "@/lib/ledger/core/verbs";
import type { OpenLedger } from "@/lib/ledger/ledger";
import { pause } from "@/lib/timing/pause";

/** A zone in which it is midnight so many milliseconds after the moment. */
export function zoneWithMidnightIn(milliseconds: number, moment = Date.now()): string {
  const seconds = Math.ceil((moment + milliseconds) / 1000) % 86_400;
  const parts = [seconds / 3600, (seconds / 60) % 60, seconds % 60];
  return `XXX+${parts.map((part) => String(Math.floor(part)).padStart(2, "0")).join(":")}`;
}

/** The same by the database's clock. */
export async function zoneWithMidnightOf(
  client: pg.ClientBase,
  milliseconds: number,
): Promise<string> {
  const { rows } = await client.query<{ now: Date }>("select clock_timestamp() as now");
  return zoneWithMidnightIn(milliseconds, rows[0]?.now.getTime());
}

interface Race {
  readonly client: pg.ClientBase;
  readonly ledgerAt: (at: number) => OpenLedger;
  readonly midnight: Date;
  readonly holdAt: (at: number) => HoldRequest | Promise<HoldRequest>;
}

/** Twenty callers at once, until after midnight, whose holds stay open over it. */
export async function holdOverMidnight({ client, ledgerAt, midnight, holdAt }: Race) {
  const held: HoldRequest[] = [];
  let refused = 0;
  const caller = async (at: number) => {
    for (let turn = 0; Date.now() < midnight.getTime() + 700; turn++) {
      const hold = await holdAt(at + turn);
      const { result } = await ledgerAt(at + turn).openHold(hold);
      if (result === "held") held.push(hold);
      else refused++;
      await pause(20);
    }
  };
  await Promise.all(Array.from({ length: 20 }, (_, at) => caller(at)));
  const { rows } = await client.query<{ id: string }>(
    "select id from request_known where id = any($1) and created_at >= $2",
    [held.map(({ operationId }) => operationId), midnight],
  );
  const isNew = (hold: HoldRequest) => rows.some(({ id }) => id === hold.operationId);
  return {
    refused,
    ofOldDay: held.filter((hold) => !isNew(hold)),
    ofNewDay: held.filter(isNew),
  };
}
