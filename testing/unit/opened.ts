/** What the tests of a file share: opened while the file is loaded, and closed after its tests. */
import { afterAll } from "vitest";
import { isObject } from "@/lib/values/records";

/** As long as a hook may take. */
const OPEN_MS_MAX = 180_000;

const closings: (() => unknown)[] = [];

/** What was opened last is closed first. */
async function closeAll(): Promise<void> {
  const close = closings.pop();
  if (close === undefined) return;
  try {
    await close();
  } finally {
    await closeAll();
  }
}

/** How what tests open is closed, the first that it has. */
const ends = ["close", "end", "stop", "$disconnect"] as const;
type Closable = { readonly [End in (typeof ends)[number]]: Readonly<Record<End, () => unknown>> };

function closeOf(value: unknown): unknown {
  if (!isObject(value)) return undefined;
  const end = ends.find((each) => typeof value[each] === "function");
  const close = end && value[end];
  return typeof close === "function" ? close.call(value) : undefined;
}

/** Rejects when it does not open in time, since a file that is loaded has no limit of its own. */
export async function opened<Value extends Closable[keyof Closable]>(
  opening: Value | Promise<Value>,
): Promise<Value>;
export async function opened<Value>(
  opening: Value | Promise<Value>,
  close: (value: Value) => unknown,
): Promise<Value>;
export async function opened<Value>(
  opening: Value | Promise<Value>,
  close: (value: Value) => unknown = closeOf,
): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("it did not open in time")), OPEN_MS_MAX);
  });
  try {
    const value = await Promise.race([opening, late]);
    afterAll(closeAll);
    closings.push(() => close(value));
    return value;
  } catch (error) {
    await closeAll();
    throw error;
  } finally {
    clearTimeout(timer);
  }
}
