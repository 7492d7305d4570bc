/** A relay of real parts for tests: the ledger on PostgreSQL, upstreams over HTTP; keys and prices are given as they are. */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { KeyRing } from "../accounts/key-ring";
import type { ApiKeyPrincipal, SignedIn } from "../accounts/principal";
import { readSessionPrincipal } from "../accounts/session-principal";
import { models } from "../catalog/models";
import { openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import { createTestDatabase } from "../db/testing";
import { RelayError } from "../errors";
import { answerRequest } from "../http/fetch-lane";
import { type FindEndpoint, routeTable } from "../http/route-table";
import { openOnce } from "../idempotency/once";
import { createLedger, type LedgerOptions, type OpenLedger } from "../ledger/ledger";
import { createBodyMemory } from "../limits/body-memory";
import { createChannelLimiter } from "../limits/channel-limiter";
import { createKeyLimiter } from "../limits/key-limiter";
import { createRunningWork, type RunningWork } from "../limits/running-work";
import type { MediaStore } from "../media/media-store";
import { openMedia } from "../media/open-media";
import { pause } from "../pause";
import { type Micropoints, parsePoints } from "../points";
import type { PriceVersion } from "../price-book/price-version";
import { fixedSecrets } from "../secrets";
import { createChooser } from "../upstream/choose";
import type { Silence } from "../upstream/openai/chat-provider";
import type { Channel } from "../upstream/provider";
import { createProviders } from "../upstream/wiring/create-providers";
import { relayRoutes } from "./routes";
import { heldToSchema } from "./testing-answers";
import { videoMaker } from "./video/testing-video";
import type { VideoParts, VideoTimes } from "./video/video-parts";

/** How an operation ended, as the database has it. */
export interface End {
  readonly outcome: "settled" | "released";
  readonly amount: number;
  readonly held: number;
  readonly reason: string | null;
  readonly input: number | null;
  readonly output: number | null;
  readonly isAbandoned: boolean;
  readonly losses: string[];
}

export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body when it is JSON. */
  readonly json: { error?: Record<string, unknown>; [name: string]: unknown };
}

export interface TestRelay {
  readonly find: FindEndpoint;
  readonly ledger: OpenLedger;
  readonly pool: pg.Pool;
  /** The parts of one more process that works on the same tasks. */
  videoParts(changes?: Partial<VideoParts>): VideoParts;
  /** The parts that the endpoints work with. */
  readonly video: VideoParts;
  readonly running: RunningWork;
  readonly accountId: string;
  readonly media: MediaStore;
  readonly seeded: Seeded;
  /** Log lines that carry an alarm. */
  readonly alarms: Record<string, unknown>[];
  readonly logged: string[];
  /** May be changed between requests. */
  readonly setting: { channels: readonly Channel[]; price: PriceVersion["price"] | null; principal: ApiKeyPrincipal };
  fetch(path: string, init?: RequestInit): Promise<Response>;
  /** A chat request with sensible defaults, read to its end. */
  chat(body?: object, headers?: Record<string, string>): Promise<TestAnswer>;
  send(path: string, init?: RequestInit): Promise<TestAnswer>;
  balance(): Promise<{ available: Micropoints; held: Micropoints }>;
  /** The ends of all operations in order, once none runs any more. */
  ends(): Promise<End[]>;
  close(): Promise<void>;
}

export const priceOfTests = { input: 80_000_000n, output: 800_000_000n };
export const hello = [{ role: "user", content: "hello" }];

const listPrice = (model: (typeof models)[number]): PriceVersion["price"] =>
  model.id === "RelayV1"
    ? priceOfTests
    : { input: parsePoints(model.defaultPrice.input ?? "0") as Micropoints, output: parsePoints(model.defaultPrice.output) as Micropoints };
const listPrices = new Map(models.map((model) => [model.id, listPrice(model)]));

interface Seeded {
  readonly url: string;
  readonly accountId: string;
  readonly apiKeyId: string;
  readonly priceIds: ReadonlyMap<string, string>;
}

async function seed(url: string): Promise<Seeded> {
  const pool = openPool(url, 1);
  try {
    await pool.query("insert into account (id) values ('acct_a')");
    await pool.query("insert into api_key (id, account_id, name, key_hash, hint) values ('key_a', 'acct_a', 'a', sha256('a'), 'a')");
    const priceIds = new Map<string, string>();
    for (const [model, price] of listPrices) {
      const { rows } = await pool.query<{ id: string }>(
        "insert into price_version (model, input_price, output_price, created_by) values ($1, $2, $3, 'test') returning id",
        [model, price.input, price.output],
      );
      priceIds.set(model, String(rows[0]?.id));
    }
    return { url, accountId: "acct_a", apiKeyId: "key_a", priceIds };
  } finally {
    await pool.end();
  }
}

const endsQuery = `
  select s.outcome, s.amount::float8, s.hold_amount::float8 as held, s.reason, s.input_tokens::float8 as input, s.output_tokens::float8 as output,
         s.is_abandoned as "isAbandoned", coalesce(array_agg(l.cause) filter (where l.cause is not null), '{}') as losses
  from settlement s join operation o on o.id = s.operation_id left join operator_loss l on l.operation_id = s.operation_id
  group by s.operation_id, o.created_at order by o.created_at, s.operation_id`;

function fail(error: unknown): never {
  throw error;
}

function collectingLog(alarms: Record<string, unknown>[], logged: string[]) {
  const write = (fields: object, message: string) => {
    const { err } = fields as { err?: unknown };
    logged.push(`${message} ${JSON.stringify(fields)} ${err instanceof Error ? err.stack : ""}`);
    if ("alarm" in fields) alarms.push(fields as Record<string, unknown>);
  };
  return { info: write, warn: write, error: write };
}

async function read(response: Response): Promise<TestAnswer> {
  const text = await response.text();
  const isJson = response.headers.get("content-type")?.startsWith("application/json");
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : {} };
}

export interface TestRelayOptions {
  readonly channels: readonly Channel[];
  /** Decimal; the account starts with them. */
  readonly points?: string;
  /** What links to results begin with. */
  readonly publicUrl?: string;
  readonly videoTimes?: Partial<VideoTimes>;
  /** How long upstreams of chat may be silent. */
  readonly silence?: Silence;
  /** The new relay is another process on this one's database. */
  readonly beside?: TestRelay;
  /** Where its own connections go in place of the database's address. */
  readonly through?: (databaseUrl: string) => Promise<string>;
  readonly ledgerTimings?: LedgerOptions["timings"];
  /** Videos are copied into the store for real. */
  readonly keepsVideos?: boolean;
  /** Stands between the endpoints and what they work with. */
  readonly wrapVideo?: (parts: VideoParts) => VideoParts;
}

function priceBookOf(setting: TestRelay["setting"], priceIds: ReadonlyMap<string, string>): VideoParts["priceBook"] {
  return {
    current(model) {
      const price = model === "RelayV1" ? setting.price : listPrices.get(model);
      return setting.price && price ? { id: priceIds.get(model) as string, model, price, effectiveAt: new Date(0) } : undefined;
    },
  };
}

function keyRingOf(setting: TestRelay["setting"]): KeyRing {
  return {
    identify(authorization) {
      if (authorization === undefined) throw new RelayError("missing_api_key");
      if (authorization === "Bearer other") return { ...setting.principal, ...ofKey("acct_other", "key_other") };
      if (authorization !== "Bearer good") throw new RelayError("invalid_api_key");
      return setting.principal;
    },
  };
}

function askerOf(find: FindEndpoint): Pick<TestRelay, "fetch" | "send"> {
  const fetch: TestRelay["fetch"] = (path, init = {}) => {
    const headers = { authorization: "Bearer good", "content-type": "application/json", ...(init.headers as Record<string, string>) };
    return answerRequest(
      find,
      new Request(`http://relay.test${path}`, { method: init.body === undefined ? "GET" : "POST", ...init, headers }),
    );
  };
  return { fetch, send: async (path, init) => read(await fetch(path, init)) };
}

async function fund(ledger: OpenLedger, accountId: string, points: string): Promise<void> {
  const amount = parsePoints(points) as Micropoints;
  await ledger.openWallet(accountId);
  if (amount > 0n) await ledger.credit({ accountId, kind: "grant", ref: "test", amount, reason: "test", actor: "system" });
}

const ofKey = (accountId: string, apiKeyId: string) => ({ kind: "apiKey", accountId, apiKeyId, rateSubject: apiKeyId }) as const;

function settingOf({ channels }: TestRelayOptions, { apiKeyId, accountId }: Seeded): TestRelay["setting"] {
  const free = { requestsPerMinute: 1_000_000, models: [], multiplierPpm: () => 1_000_000 };
  return { channels, price: priceOfTests, principal: { ...ofKey(accountId, apiKeyId), ...free } };
}

/** A database, and a process's own connections to it. */
async function openPlace(options: TestRelayOptions) {
  const { publicUrl = "http://relay.test", through, ledgerTimings: timings } = options;
  const seeded = options.beside?.seeded ?? (await seed(await createTestDatabase()));
  const url = through ? await through(seeded.url) : seeded.url;
  const dataFolder = mkdtempSync(join(tmpdir(), "relay-data-"));
  const ledger = await createLedger({ databaseUrl: url, spoolFolder: join(dataFolder, "spool"), timings });
  const pool = openPool(url, 4);
  const changes = await openChanges(url);
  // What lies behind a proxy is expected to fail.
  const reportProblem = through ? () => {} : fail;
  const results = await openMedia({ pool, secrets: fixedSecrets("s".repeat(32)), publicUrl, s3: null, dataFolder, reportProblem });
  return { seeded, dataFolder, ledger, pool, changes, results };
}

export async function openTestRelay(options: TestRelayOptions): Promise<TestRelay> {
  const { seeded, dataFolder, ledger, pool, changes, results } = await openPlace(options);
  const { accountId, priceIds } = seeded;
  if (!options.beside) await fund(ledger, accountId, options.points ?? "1000");
  const alarms: Record<string, unknown>[] = [];
  const logged: string[] = [];
  const running = createRunningWork();
  const bodyMemory = createBodyMemory();
  const providers = createProviders(undefined, options.silence);
  const setting = settingOf(options, seeded);
  const log = collectingLog(alarms, logged);
  const once = openOnce(pool, ledger.nodeId, log);
  const priceBook = priceBookOf(setting, priceIds);
  const chooser = createChooser({ channelsFor: () => setting.channels, limiter: createChannelLimiter() });
  const shared = { ledger, priceBook, chooser, provider: providers.video, running, log, changes, pool };
  const { videoParts, closeWaiters } = videoMaker(shared, options);
  const kept = options.keepsVideos ? { results: results.media } : {};
  const video = options.wrapVideo ? options.wrapVideo(videoParts(kept)) : videoParts(kept);
  const parts = {
    keyRing: keyRingOf(setting),
    sessionPrincipal: (signedIn: SignedIn) => readSessionPrincipal(pool, signedIn),
    keyLimiter: createKeyLimiter(),
    log,
    once,
    bodyMemory,
    pool,
    callbackSecretOf: (account: string) => `whsec_${account}`,
    priceBook,
    chooser,
    video,
    checkDatabase: async () => void (await pool.query("select 1")),
    ledger,
    provider: providers.chat,
    imageProvider: providers.image,
    media: results.media,
    links: results.links,
    running,
  };
  const find = routeTable(relayRoutes(parts).map(heldToSchema));
  const asker = askerOf(find);
  return {
    find,
    seeded,
    ledger,
    pool,
    videoParts,
    video,
    running,
    accountId,
    media: results.media,
    alarms,
    logged,
    setting,
    ...asker,
    chat: (body = {}, headers = {}) =>
      asker.send("/v1/chat/completions", { body: JSON.stringify({ model: "RelayV1", messages: hello, ...body }), headers }),
    balance: () => ledger.balance(accountId),
    async ends() {
      while (running.count > 0) await pause(5);
      return (await pool.query<End>(endsQuery)).rows;
    },
    async close() {
      closeWaiters();
      await running.drain(10_000);
      once.close();
      await Promise.all([providers.close(), results.close(), ledger.close(), changes.close()]);
      await pool.end();
      rmSync(dataFolder, { recursive: true, force: true });
    },
  };
}
