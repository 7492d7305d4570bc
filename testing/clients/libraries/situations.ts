/**
 * The table of the client libraries: what each of them is brought into. A new situation is one row
 * here, and a new library one `TextLibrary`.
 */
import { expect } from "vitest";
import { isWhole } from "../../extent/extent";
import { fund } from "../../relay/seed";
import { type ServedRelay, serveRelay } from "../../relay/served-relay";
import type { TestRelay } from "../../relay/test-relay";
import { type Place, refusalOf, type TextLibrary, WEATHER } from "./text-library";

const MODEL = "RelayV1";

export interface Stage extends ServedRelay {
  readonly place: Place;
  /** Forgets the operations and requests before a test. */
  begin(): Promise<void>;
  /** How many requests came since. */
  requests(): number;
  /** The ends of the operations since, and the APIs that they came by. */
  ends(): Promise<Awaited<ReturnType<TestRelay["ends"]>>>;
  expectCharges(count: number, dialect: TextLibrary["dialect"]): Promise<void>;
}

/** One relay for all libraries of a file. The key `other` is of an account without points. */
export async function openStage(): Promise<Stage> {
  let requests = 0;
  let known = 0;
  const served = await serveRelay(() => {
    requests++;
    return undefined;
  });
  const { relay, origin } = served;
  await relay.pool.query("insert into account (id) values ('acct_other')");
  await fund(relay.ledger, "acct_other", "0");
  const { principal } = relay.setting;
  const ends = async () => (await relay.ends()).slice(known);
  return {
    ...served,
    place: { origin, key: "good", model: MODEL },
    async begin() {
      relay.setting.principal = principal;
      known = (await relay.ends()).length;
      requests = 0;
    },
    requests: () => requests,
    ends,
    async expectCharges(count, dialect) {
      expect((await ends()).map(({ outcome }) => outcome)).toEqual(Array(count).fill("settled"));
      const { rows } = await relay.pool.query(
        "select dialect from request_known order by created_at, id offset $1",
        [known],
      );
      expect(rows).toEqual(Array(count).fill({ dialect }));
    },
  };
}

interface Situation {
  /** What is true of the library in it. */
  readonly title: string;
  /** In `npm test` each library is brought into it. */
  readonly isCore?: boolean;
  /** Absent: every library can do it. */
  readonly isPossible?: (library: TextLibrary) => boolean;
  run(library: TextLibrary, stage: Stage): Promise<void>;
}

/** A refused request: it has the library's error for the status, is not sent again, and is free. */
const refused = (
  what: string,
  status: number,
  code: string,
  change: Partial<Place> & { readonly prompt?: string },
  terms: Partial<TestRelay["setting"]["principal"]> = {},
): Situation => ({
  title: `${what} is its error for ${status}, sent once and free`,
  async run(library, { relay, place, requests, ends }) {
    const { prompt = "hi", ...given } = change;
    relay.setting.principal = { ...relay.setting.principal, ...terms };
    const retries = library.heedsRefusals && status !== 429 ? {} : { retries: 0 };
    const error = await library.say({ ...place, ...retries, ...given }, prompt).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    const { errorNames } = library;
    const name = typeof errorNames === "string" ? errorNames : errorNames[status];
    const { requestId, ...refusal } = refusalOf(error);
    expect(refusal, String(error)).toEqual({
      name: expect.stringContaining(name ?? "?"),
      status,
      code,
    });
    if (library.heedsRefusals) expect(requestId).toMatch(/^req_/);
    expect(requests()).toBe(1);
    expect((await ends()).filter(({ outcome }) => outcome === "settled")).toEqual([]);
  },
});

const usesTool = (isStream: boolean, isCore: boolean): Situation => ({
  title: `calls a tool and goes on with its result (${isStream ? "streamed" : "whole"}), for a charge each`,
  isCore,
  async run(library, { place, expectCharges }) {
    const { given, text } = await library.callTool(place, isStream);
    expect(given).toEqual({ city: expect.any(String) });
    expect(text).toContain(WEATHER);
    await expectCharges(2, library.dialect);
  },
});

const situations: readonly Situation[] = [
  {
    title: "has an answer with its usage and its request's id, for one charge",
    isCore: true,
    async run(library, { place, expectCharges }) {
      const said = await library.say(place, "2+3");
      expect(said.text).toContain("2+3 = 5");
      expect(said.inputTokens).toBeGreaterThan(0);
      expect(said.outputTokens).toBeGreaterThan(0);
      if (library.heedsRefusals) expect(said.requestId).toMatch(/^req_/);
      await expectCharges(1, library.dialect);
    },
  },
  {
    title: "streams an answer in pieces, with its usage, for one charge",
    isCore: true,
    async run(library, { place, expectCharges }) {
      const said = await library.stream(place, "hello");
      expect(said.text).toContain("sandbox");
      expect(said.pieces).toBeGreaterThan(2);
      expect(said.inputTokens).toBeGreaterThan(0);
      expect(said.outputTokens).toBeGreaterThan(0);
      await expectCharges(1, library.dialect);
    },
  },
  usesTool(false, true),
  usesTool(true, false),
  {
    title: "reads an object in the form of a schema, for one charge",
    isPossible: ({ makeObject }) => makeObject !== undefined,
    async run(library, { place, expectCharges }) {
      expect(await library.makeObject?.(place)).toEqual({ city: expect.any(String) });
      await expectCharges(1, library.dialect);
    },
  },
  refused("a wrong key", 401, "invalid_api_key", { key: "bad" }),
  refused("a model that is not there", 404, "model_not_found", { model: "gpt-4" }),
  {
    ...refused("a field out of its range", 400, "invalid_value", { outputTokensMax: 0 }),
    // Others refuse it themselves.
    isPossible: ({ heedsRefusals }) => heedsRefusals,
  },
  refused("too few points", 402, "insufficient_points", { key: "other" }),
  refused(
    "a model that its key may not use",
    403,
    "model_not_allowed",
    {},
    { models: ["Super-Relay"] },
  ),
  refused("an unreadable answer", 502, "upstream_bad_response", {
    prompt: "[[garbage]]",
  }),
  {
    title: "raises its error for 429 at its key's rate limit",
    async run(library, stage) {
      const terms = { rateSubject: `limited ${library.name}`, requestsPerMinute: 1 };
      stage.relay.setting.principal = { ...stage.relay.setting.principal, ...terms };
      await library.say(stage.place, "hi");
      await stage.begin();
      await refused("", 429, "key_rate_limited", {}, terms).run(library, stage);
    },
  },
  {
    title: "sends again what a second try may help",
    async run(library, { place, requests, ends }) {
      await expect(library.say({ ...place, retries: 1 }, "[[fail]]")).rejects.toThrow();
      expect(requests()).toBe(2);
      expect((await ends()).map(({ outcome }) => outcome)).toEqual(["released", "released"]);
    },
  },
  {
    title: "tells that a stream broke off, which is free",
    isCore: true,
    async run(library, { place, ends }) {
      await expect(library.stream(place, "[[truncate]]")).rejects.toThrow();
      for (const { outcome } of await ends()) expect(outcome).toBe("released");
    },
  },
  {
    title: "leaves a stream, and is charged once for what the upstream reported",
    isCore: true,
    async run(library, { place, ends }) {
      const { pieces } = await library.stream(place, "[[tokens:40]]", 3);
      expect(pieces).toBe(3);
      expect(await ends()).toMatchObject([{ outcome: "settled", output: 40, isAbandoned: true }]);
    },
  },
];

/** Those of a library in this run, with their titles. */
export const situationsOf = (library: TextLibrary) =>
  situations
    .filter(({ isCore, isPossible }) => {
      const isWanted = isWhole || library.isExemplar === true || isCore === true;
      return isWanted && (isPossible?.(library) ?? true);
    })
    .map((situation) => [situation.title, situation] as const);
