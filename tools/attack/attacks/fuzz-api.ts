/**
 * Slightly wrong bodies for every address in the target's own OpenAPI document. No answer may be a
 * 5xx except a documented 503; each must be JSON with x-request-id, and a refusal must not change
 * the balance. Bound: 12,000 requests (brief: 600), 16 at a time.
 */

import { pause } from "@/lib/timing/pause";
import type { Attack, Means, Tally } from "../attack";
import { flood } from "../flood";
import { assertShape, fuzzer } from "../fuzz";
import { type Headers, head, MEBIBYTE } from "../requests";
import { type Exchange, exchange } from "../wire";

interface Schema {
  readonly properties?: Readonly<Record<string, unknown>>;
}
interface Operation {
  readonly parameters?: readonly { readonly name: string; readonly in: string }[];
  readonly requestBody?: {
    readonly content: Readonly<
      Record<
        string,
        {
          readonly schema?: Schema;
          readonly examples?: Readonly<Record<string, { value?: unknown }>>;
        }
      >
    >;
  };
}

interface Call {
  readonly method: string;
  readonly path: string;
  readonly query: readonly string[];
  readonly seeds: readonly unknown[];
  readonly names: readonly string[];
}

const SETTLE_MS = 30_000;
const POLL_MS = 500;

async function ask({ target, apiKey }: Means, path: string): Promise<Record<string, unknown>> {
  const bytes = head(
    target,
    "GET",
    path,
    { authorization: `Bearer ${apiKey}`, connection: "close" },
    null,
  );
  const { answers }: Exchange = await exchange(target, [bytes], { keptBytesMax: 8 * MEBIBYTE });
  if (answers[0]?.status !== 200)
    throw new Error(`${path} answered ${answers[0]?.status}: ${answers[0]?.body.slice(0, 200)}`);
  return JSON.parse(answers[0].body) as Record<string, unknown>;
}

function callsOf(document: Record<string, unknown>): Call[] {
  const paths = document.paths as Record<string, Record<string, Operation>>;
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody }]) => {
      const content = requestBody?.content["application/json"];
      return {
        method: method.toUpperCase(),
        path: path.replace(/\{\w+\}/, "ID"),
        query: parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name),
        seeds: Object.values(content?.examples ?? {}).map(({ value }) => value),
        names: Object.keys(content?.schema?.properties ?? {}),
      };
    }),
  );
}

/** Makes requests that take the sandbox seconds to draw almost always invalid. */
function withoutWork(call: Call, seed: unknown, random: () => number): unknown {
  if (random() < 0.02 || typeof seed !== "object" || seed === null) return seed;
  if (/images/.test(call.path)) return { ...seed, size: "7x7" };
  if (/videos|tasks/.test(call.path)) return { ...seed, resolution: "9p" };
  return seed;
}

export const fuzzApi: Attack = {
  name: "fuzz-api",
  what: "12,000 near misses of valid requests at every address of /openapi.json",
  async run(means, tally) {
    const calls = callsOf(await ask(means, "/openapi.json"));
    // Addresses with a body are weighted higher: nearly all of the validation is there.
    const weighted = calls.flatMap((call) =>
      new Array<Call>(call.seeds.length > 0 ? 6 : 1).fill(call),
    );
    const fuzz = fuzzer(Date.now());
    const keyed: Headers = { authorization: `Bearer ${means.apiKey}` };
    const before = await balance(means);
    let served = 0;
    const isServed = new Map<number, boolean>();
    await flood(means.target, tally, {
      connections: 16,
      milliseconds: means.isBrief ? 6_000 : 240_000,
      count: means.isBrief ? 600 : 12_000,
      label: "near misses at the API",
      request(index) {
        const call = weighted[index % weighted.length] as Call;
        const seed =
          call.seeds.length === 0 ? null : withoutWork(call, fuzz.pick(call.seeds), fuzz.random);
        isServed.set(index, call.method === "POST" && !call.path.endsWith("/quote"));
        return fuzz.request(means.target, index, {
          ...call,
          seed,
          headers: keyed,
          ids: ["relay-v1", "cgt-none", "a.mp4"],
        });
      },
      reproduce: (index) => fuzz.reproduce(index),
      onAnswer(answer, index) {
        if (isServed.get(index) && answer.status === 200) served++;
        isServed.delete(index);
        assertShape(tally, answer, fuzz.reproduce(index), fuzz.pathOf(index));
        fuzz.forget(index);
      },
    });
    await assertMoney(means, tally, before, served);
  },
};

const balance = async (means: Means) =>
  (await ask(means, "/v1/balance")) as { available_points: number; held_points: number };

/** Only successful requests may have changed the balance, and nothing may stay held. */
async function assertMoney(
  means: Means,
  tally: Tally,
  before: { available_points: number },
  served: number,
): Promise<void> {
  let after = await balance(means);
  for (
    const startedAt = Date.now();
    after.held_points > 0 && Date.now() - startedAt < SETTLE_MS;
    after = await balance(means)
  )
    await pause(POLL_MS);
  if (after.held_points > 0)
    tally.fault(
      `${after.held_points} points are still held ${SETTLE_MS / 1000} s after the last request`,
    );
  const moved = before.available_points - after.available_points - after.held_points;
  if (served === 0 && moved !== 0)
    tally.fault(`${moved} points moved although every request was refused`);
  if (moved < 0) tally.fault(`${-moved} points came from nowhere`);
}
