/**
 * Slightly wrong bodies and queries for every address of the pages' API, with sessions and as an
 * operator. Bound: 18,000 requests in all (brief: 900), 16 at a time.
 */
import type { Attack, Means, Tally } from "../attack";
import { flood } from "../flood";
import { assertShape, fuzzer } from "../fuzz";
import { type PagesCall, pagesCalls, queryNames } from "../pages-api";
import { type Headers, JSON_HEADERS, request } from "../requests";
import { exchange } from "../wire";

/** Writes have more validation, so each is sent twice as often as a read. */
const weightOf = ({ method }: PagesCall) => (method === "GET" ? 1 : 2);

async function accountOf({ target }: Means, cookie: string): Promise<string> {
  const { answers } = await exchange(target, [
    request(target, "GET", "/api/me", { cookie, connection: "close" }),
  ]);
  const me = JSON.parse(answers[0]?.body ?? "{}") as { account?: { id: string } };
  return me.account?.id ?? "none";
}

async function fuzz(
  means: Means,
  tally: Tally,
  calls: readonly PagesCall[],
  cookies: readonly string[],
  counts: readonly [number, number],
) {
  const weighted = calls.flatMap((call) => new Array<PagesCall>(weightOf(call)).fill(call));
  const made = fuzzer(Date.now());
  const ids = [await accountOf(means, means.sessions.at(-1) ?? ""), "none"];
  await flood(means.target, tally, {
    connections: 16,
    milliseconds: means.isBrief ? 6_000 : 300_000,
    count: counts[means.isBrief ? 0 : 1],
    label: "near misses at the pages' API",
    request(index) {
      const call = weighted[index % weighted.length] as PagesCall;
      const headers: Headers = {
        ...JSON_HEADERS,
        origin: means.origin,
        cookie: cookies[index % cookies.length] ?? "",
      };
      return made.request(means.target, index, {
        ...call,
        headers,
        ids,
        names: Object.keys(call.seed ?? {}),
        query: call.method === "GET" ? queryNames : [],
      });
    },
    reproduce: made.reproduce,
    onAnswer(answer, index) {
      // next-auth's own addresses have answers of another form.
      if (!made.pathOf(index).startsWith("/api/auth/"))
        assertShape(tally, answer, made.reproduce(index), made.pathOf(index));
      made.forget(index);
    },
  });
}

export const fuzzPages: Attack = {
  name: "fuzz-pages",
  what: "9,000 near misses at every address of the pages' API, with a session",
  async run(means, tally) {
    if (means.sessions.length === 0) return;
    await fuzz(
      means,
      tally,
      pagesCalls().filter(({ isOperators }) => !isOperators),
      means.sessions,
      [450, 9000],
    );
  },
};

export const fuzzOperator: Attack = {
  name: "fuzz-operator",
  what: "9,000 near misses at every address of the operators' API, as an operator",
  async run(means, tally) {
    const { operatorSession: cookie, target, origin, password } = means;
    if (cookie === null || password === null) return;
    await exchange(target, [
      request(target, "POST", "/api/proof", { cookie, origin, connection: "close" }, { password }),
    ]);
    await fuzz(
      means,
      tally,
      pagesCalls().filter(({ isOperators }) => isOperators),
      [cookie],
      [450, 9000],
    );
  },
};
