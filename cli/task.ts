import { pointsNumber } from "@/lib/money/points";
import { findTaskRow } from "@/lib/queries/stored-tasks";
import type { PoolCommand } from "./command";
import { table } from "./table";

function shownValue(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  return typeof value === "object" && value !== null ? JSON.stringify(value) : String(value ?? "–");
}

const points = (amount: string | null) => (amount === null ? null : pointsNumber(BigInt(amount)));

/** Everything stored about a task, for finding a fault. */
const show: PoolCommand = {
  usage: "--id cgt-…",
  async runOnPool(pool, flags) {
    const id = flags.text("id");
    const found = await findTaskRow(pool, id);
    if (found === null) throw new Error(`There is no task ${id}.`);
    const { amount, hold_amount, ...stored } = found;
    const task = { ...stored, points: points(amount), held_points: points(hold_amount) };
    const lines = Object.entries(task).map(([field, value]) => ({
      field,
      value: shownValue(value),
    }));
    return { json: { task }, text: table(lines) };
  },
};

/** The others are made from rows. */
export const taskCommands = { show };
