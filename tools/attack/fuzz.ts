/** Generates slightly wrong requests, records each, and checks the form of its answer. */

import { failureBody } from "@/lib/contract/failure-body";
import { seeded } from "@/testing/extent/random";
import type { Tally } from "./attack";
import { hostileTexts, mutate, pick } from "./mutate";
import { type Headers, request } from "./requests";
import type { Answer, Target } from "./wire";

const DESCRIBED_CHARACTERS = 400;

export interface FuzzCall {
  readonly method: string;
  /** `ID` is replaced by an id. */
  readonly path: string;
  /** A valid body; null when the address takes none. */
  readonly seed: unknown;
  /** Names for additional members. */
  readonly names: readonly string[];
  readonly query: readonly string[];
  readonly headers: Headers;
  /** Ids that exist. */
  readonly ids: readonly string[];
}

export function fuzzer(seed: number) {
  const random = seeded(seed).next;
  const sent = new Map<number, string>();

  function addressOf({ path, query, ids }: FuzzCall): string {
    const id = random() < 0.6 ? pick(random, ids) : encode(pick(random, hostileTexts));
    const named = query
      .filter(() => random() < 0.4)
      .map((name) => `${name}=${encode(pick(random, hostileTexts))}`);
    if (query.length > 0 && random() < 0.1)
      named.push(`${pick(random, query)}=${encode(pick(random, hostileTexts))}`);
    return (
      path.replace("ID", id === "" ? "-" : id) + (named.length === 0 ? "" : `?${named.join("&")}`)
    );
  }

  function oddHeaders(): Headers {
    const kind = random();
    if (kind < 0.04) return { "idempotency-key": printable(pick(random, hostileTexts)) || "k" };
    if (kind < 0.06) return { "x-request-id": printable(pick(random, hostileTexts)) };
    if (kind < 0.07)
      return {
        "content-type": pick(random, [
          "text/plain",
          "application/json; charset=utf-16",
          "multipart/form-data",
          "",
        ]),
      };
    if (kind < 0.08)
      return { accept: pick(random, ["text/csv", "text/event-stream", "*/*;q=0", ""]) };
    return {};
  }

  return {
    random,
    pick: <Item>(items: readonly Item[]): Item => pick(random, items),
    request(target: Target, index: number, call: FuzzCall): Buffer {
      const address = addressOf(call);
      const body = call.method === "GET" ? undefined : mutate(call.seed ?? {}, call.names, random);
      const headers = { ...call.headers, ...oddHeaders() };
      sent.set(
        index,
        `${call.method} ${address.slice(0, 200)} ${(body ?? "").slice(0, DESCRIBED_CHARACTERS)}`,
      );
      return request(target, call.method, address, headers, body);
    },
    reproduce: (index: number) => sent.get(index) ?? "?",
    pathOf: (index: number) => sent.get(index)?.split(" ")[1] ?? "",
    forget: (index: number) => sent.delete(index),
  };
}

/**
 * Percent-encodes a text, at most as long as an address may be. An unpaired surrogate cannot be
 * encoded and is left out.
 */
function encode(text: string): string {
  const short = text.slice(0, 600);
  return short.isWellFormed() ? encodeURIComponent(short) : "%ED%A0%80";
}

const printable = (text: string) => text.replace(/[^\x21-\x7e]/g, "").slice(0, 300);

/** Checks that an answer is JSON and has an id, and that a refusal has the common error form. */
export function assertShape(
  tally: Tally,
  answer: Answer,
  reproduction: string,
  path: string,
): void {
  const type = answer.headers.get("content-type") ?? "";
  if (!answer.headers.has("x-request-id"))
    tally.fault(`${reproduction} → ${answer.status} without x-request-id`);
  if (answer.status < 400 || answer.status >= 500) return;
  if (!type.startsWith("application/json")) {
    tally.fault(
      `${reproduction} → ${answer.status} as ${type || "nothing"}: ${answer.body.slice(0, 80)}`,
    );
    return;
  }
  let body: unknown;
  try {
    body = JSON.parse(answer.body);
  } catch {
    tally.fault(`${reproduction} → ${answer.status} whose body is not JSON, at ${path}`);
    return;
  }
  const parsed = failureBody.safeParse(body);
  if (!parsed.success)
    tally.fault(
      `${reproduction} → ${answer.status} in another shape: ${answer.body.slice(0, 160)}`,
    );
  else if (/undefined|\[object/.test(parsed.data.error.message))
    tally.fault(`${reproduction} → an odd message: ${parsed.data.error.message}`);
}
