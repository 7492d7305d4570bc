/** The requests of a demo, which the database draws and writes; see requests.sql. */
import { onlyRow } from "@/lib/db/only-row";
import { transact } from "@/lib/db/transaction";
import { writeRequestsSql } from "@/testing/ledger/history";
import type { OpenDemo } from "./open-demo";
import { type PlanOptions, planArguments } from "./plan";

type Owned = Pick<OpenDemo, "owner">;

/** Draws the requests; returns how many. */
export async function planRequests({ owner }: Owned, options: PlanOptions): Promise<number> {
  const given = planArguments(options);
  const names = given.map((_, index) => `$${index + 1}`).join(", ");
  const { n } = onlyRow(await owner.query<{ n: string }>(`select past.plan(${names}) as n`, given));
  await owner.query("analyze past.planned");
  return Number(n);
}

/** Writes the requests that have ended before `time`, or all; returns how many. */
export async function writeRequests(
  { owner }: Owned,
  { time, end }: { readonly time: number; readonly end: number },
): Promise<number> {
  return transact(owner, async () => {
    const { n } = onlyRow(
      await owner.query<{ n: string }>("select past.take($1, $2) as n", [
        new Date(time),
        time >= end,
      ]),
    );
    await owner.query(writeRequestsSql);
    await owner.query("select past.show($1)", [new Date(end)]);
    return Number(n);
  });
}

/** Counts how the requests went in the health of their channels. */
export async function writeHealth({ owner }: Owned, end: number): Promise<void> {
  await owner.query("select past.note_health($1)", [new Date(end)]);
}
