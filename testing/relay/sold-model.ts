/** Models that a test makes by the commands and sells on a relay with pages, and what an order of one costs there. */
import { expect } from "vitest";
import { replaceCatalogue } from "@/lib/catalog/models";
import { offerModel } from "@/lib/commands/model-states";
import { changeModel, createModel } from "@/lib/commands/models";
import type { QuoteResponse } from "@/lib/contract/own-account";
import { selectors } from "@/lib/contract/units";
import type { RequestView } from "@/lib/contract/usage";
import { readCatalogue } from "@/lib/model-book/read-models";
import { readPrices } from "@/lib/price-book/price-book";
import type { PricedRelay } from "./priced-relay";
import type { TestRelay } from "./test-relay";

const actor = "test";

interface ModelContent {
  readonly id: string;
  readonly [member: string]: unknown;
}

/** What the books of a process do when a row has changed. */
async function renew({ pool, setting }: TestRelay): Promise<void> {
  replaceCatalogue(await readCatalogue(pool));
  for (const version of await readPrices(pool)) setting.versions.set(version.model, version);
}

/** Makes a model from a file and offers it. */
export async function sellModel(relay: TestRelay, file: ModelContent): Promise<void> {
  await createModel(relay, actor, file);
  await offerModel(relay, actor, { id: file.id, anyway: "for a test" });
  await renew(relay);
}

export async function changeSold(relay: TestRelay, file: ModelContent): Promise<void> {
  await changeModel(relay, actor, { id: file.id, content: file });
  await renew(relay);
}

/** `amount` micropoints of list price at a multiplier, rounded up once. */
export const chargeAt = (ppm: number, amount: bigint): bigint =>
  (amount * BigInt(ppm) + 999_999n) / 1_000_000n;

interface Order {
  readonly endpoint: string;
  readonly path: string;
  readonly body: object;
  /** Runs while the order does. */
  readonly meanwhile?: () => Promise<void>;
}

/** Micropoints, and what was counted: `second 720p 4 × 30`. */
interface Bill {
  /** Of the task, or of the request. */
  readonly id: string;
  readonly quoted: bigint;
  readonly quotedHold: bigint;
  readonly held: bigint;
  readonly settled: bigint;
  readonly quoteLines: readonly string[];
  readonly lines: readonly string[];
  readonly normalized: Readonly<Record<string, unknown>>;
}

type Line = Readonly<Omit<QuoteResponse["lines"][number], "points"> & { points: number | string }>;
const lineOf = ({ unit, quantity, points, ...ordered }: Line) =>
  [unit, ...selectors.map((name) => ordered[name]), quantity, "×", Number(points)]
    .filter((part) => part !== undefined)
    .join(" ");

const micropoints = (points: number) => BigInt(Math.round(points * 1e6));

/** Quotes an order, places it and waits until it is billed; the receipt says what the rows say. */
export async function billFor(site: PricedRelay, order: Order): Promise<Bill> {
  const { endpoint, path, body, meanwhile } = order;
  const quote = (await site.send("/quote", { endpoint, ...body })).json as QuoteResponse;
  const sending = site.send(path, body);
  const [made] = await Promise.all([sending, meanwhile?.()]);
  // An answer of text has an id of its own.
  const isTask = typeof made.json.id === "string" && made.json.object !== "chat.completion";
  const id = isTask ? String(made.json.id) : made.requestId;
  const read = () => site.page<RequestView>("showRequest", id);
  await expect
    .poll(async () => (await read()).entry.request?.state, { timeout: 30_000 })
    .toBe("settled");
  const { entry, lines } = await read();
  const { rows } = await site.relay.pool.query<{ held: string; settled: string }>(
    `select hold_amount as held, amount as settled from request
      where request_id = $1 or id = (select operation_id from video_task t where t.id = $1)`,
    [id],
  );
  const [row] = rows;
  if (row === undefined) throw new Error(`${id} is not settled`);
  const told = [entry.request?.held, entry.request?.settled].map((each) =>
    micropoints(Number(each)),
  );
  expect(told).toEqual([BigInt(row.held), BigInt(row.settled)]);
  return {
    id,
    quoted: micropoints(quote.estimate_points),
    quotedHold: micropoints(quote.hold_points),
    held: BigInt(row.held),
    settled: BigInt(row.settled),
    quoteLines: quote.lines.map(lineOf),
    lines: lines.map(lineOf),
    normalized: quote.normalized,
  };
}
