import { expect, test } from "vitest";
import { lifeOf } from "./request-life";

const start = Date.parse("2026-11-28T12:00:00.000Z");
const at = (ms: number) => new Date(start + ms).toISOString();
const attempt = (id: string, code: string | null, from: number, to: number) => ({
  id,
  code,
  tookMs: to - from,
  endedAt: at(to),
});

type Life = Parameters<typeof lifeOf>[0];
type State = NonNullable<Life["entry"]["request"]>["state"];

/** A request of `state` that ended after `endMs`. */
function life(state: State, endMs: number | null, rest: Partial<Life> = {}): Life {
  const request = {
    requestId: "req_1",
    source: "api" as const,
    keyName: null,
    model: "RelayV1",
    family: "text" as const,
    dialect: null,
    state,
    quoted: "1.000000",
    held: "1.000000",
    settled: state === "settled" ? "0.500000" : null,
    inputTokens: null,
    outputTokens: null,
    endedAt: endMs === null ? null : at(endMs),
    durationMs: endMs,
    tags: [],
    made: null,
  };
  const entry = {
    id: "op",
    kind: "request" as const,
    at: at(0),
    amount: "0",
    reason: null,
    request,
  };
  const nothing = { attempts: [], refunds: [], stages: null, firstByteMs: null, isStream: false };
  return { entry, ...nothing, ...rest };
}

const drawn = (given: Life, now = 0) =>
  lifeOf(given, start + now).rows.map(({ kind, fromMs, toMs }) => [kind, fromMs, toMs]);

test("a stream that was answered after a failed attempt has its first token after that attempt", () => {
  const attempts = [attempt("a", "upstream_failed", 10, 200)];
  const refunds = [{ id: "7", points: "0.100000", reason: "sorry", at: at(90_000) }];
  const given = life("settled", 1000, { attempts, refunds, isStream: true, firstByteMs: 300 });
  expect(drawn(given)).toEqual([
    ["held", 0, 0],
    ["failed", 10, 200],
    ["upstream", 200, 1000],
    ["firstToken", 500, 500],
    ["settled", 1000, 1000],
    ["refunded", 90_000, 90_000],
  ]);
});

test("a request that its last attempt ended has no answer", () => {
  const attempts = [
    attempt("a", "upstream_failed", 0, 100),
    attempt("b", "upstream_timeout", 100, 400),
  ];
  const given = life("released", 410, { attempts });
  const entry = { ...given.entry, reason: "upstream_timeout" };
  expect(drawn({ ...given, entry }).map(([kind]) => kind)).toEqual([
    "held",
    "failed",
    "failed",
    "released",
  ]);
});

test("a video is sent, made and stored; while it runs, it is drawn until now", () => {
  const stages = { submitted: at(50), running: at(900), stored: null };
  expect(drawn(life("held", null, { stages }), 2000)).toEqual([
    ["held", 0, 0],
    ["submitted", 50, 50],
    ["upstream", 50, 2000],
  ]);
  const stored = { ...stages, stored: at(3000) };
  expect(drawn(life("settled", 3100, { stages: stored }))).toEqual([
    ["held", 0, 0],
    ["submitted", 50, 50],
    ["upstream", 50, 3000],
    ["stored", 3000, 3000],
    ["settled", 3100, 3100],
  ]);
});

test("clocks that differ draw nothing outside", () => {
  const attempts = [attempt("a", "upstream_failed", -300, -100), attempt("b", "x", 900, 5000)];
  for (const [, from, to] of drawn(life("settled", 1000, { attempts }))) {
    expect(Number(from)).toBeGreaterThanOrEqual(0);
    expect(Number(to)).toBeLessThanOrEqual(1000);
  }
});
