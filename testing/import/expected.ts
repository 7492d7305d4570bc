/** What must be here after generated rows moved, by rules that are written down a second time. */
import type { GeneratedSource, Row } from "./generated-source";

const MICROPOINTS_PER_QUOTA = 2n;
const whole = (row: Row, name: string) => BigInt(String(row[name] ?? 0));
const textOf = (row: Row, name: string) => String(row[name] ?? "");

/** By the source's ids, as `readMovedState` reads it. */
export interface MovedState {
  readonly balances: Record<string, string>;
  readonly keys: Record<string, { user: string; budget: string | null; isPaused: boolean }>;
  readonly vouchers: number;
  readonly usage: Record<string, string>;
}

const hasMoved = (row: Row) => row.group !== "free" && textOf(row, "deleted_at") === "";

export function expectedOf(source: GeneratedSource) {
  const rowsOf = (table: string) => [...(source[table]?.rows() ?? [])];
  const users = rowsOf("users").filter(hasMoved);
  const ids = new Set(users.map((row) => textOf(row, "id")));
  const points = (quota: bigint) => (quota > 0n ? quota * MICROPOINTS_PER_QUOTA : 0n);
  const keys = rowsOf("tokens").filter(
    (row) => ids.has(textOf(row, "user_id")) && whole(row, "expired_time") < 0n,
  );
  const keyIds = new Set(keys.map((row) => textOf(row, "id")));
  const usage = new Map<string, bigint[]>();
  const logs = rowsOf("logs").filter((row) => row.type === 2 && ids.has(textOf(row, "user_id")));
  for (const row of logs) {
    const day = new Date(Number(row.created_at) * 1000).toISOString().slice(0, 10);
    const token = textOf(row, "token_id");
    const name = [textOf(row, "user_id"), day, row.model_name, keyIds.has(token) ? token : ""].join(
      " ",
    );
    const added = [
      1n,
      ...["prompt_tokens", "completion_tokens", "quota"].map((of) => whole(row, of)),
    ];
    const sums = usage.get(name) ?? [0n, 0n, 0n, 0n];
    usage.set(
      name,
      sums.map((sum, at) => sum + (added[at] ?? 0n)),
    );
  }
  const state: MovedState = {
    balances: Object.fromEntries(
      users.map((row) => [textOf(row, "id"), points(whole(row, "quota")).toString()]),
    ),
    keys: Object.fromEntries(
      keys.map((row) => [
        textOf(row, "id"),
        {
          user: textOf(row, "user_id"),
          budget: row.unlimited_quota ? null : points(whole(row, "remain_quota")).toString(),
          isPaused: row.status === 2,
        },
      ]),
    ),
    vouchers: rowsOf("redemptions").filter((row) => row.status === 1 && !row.expired_time).length,
    usage: Object.fromEntries([...usage].map(([name, sums]) => [name, sums.join(" ")])),
  };
  return {
    state,
    points: users.reduce((sum, row) => sum + points(whole(row, "quota")), 0n),
    logged: logs.reduce((sum, row) => sum + whole(row, "quota"), 0n),
  };
}
