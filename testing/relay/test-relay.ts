/**
 * A relay of real parts for tests: the ledger on PostgreSQL, upstreams over HTTP. Only keys and
 * prices are given by the test.
 */

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type pg from "pg";
import type { ApiKeyPrincipal, SignedIn } from "@/lib/accounts/principal";
import { readSessionPrincipal } from "@/lib/accounts/session-principal";
import { openTagBook } from "@/lib/accounts/tag-book";
import type { ContentKeeper } from "@/lib/content/content-keeper";
import { fixedSecrets } from "@/lib/crypto/secrets";
import type { FindEndpoint } from "@/lib/http/route-table";
import type { Log } from "@/lib/http/serve";
import { openIdempotencyRunner } from "@/lib/idempotency/idempotency-runner";
import type { OpenLedger } from "@/lib/ledger/ledger";
import { createBodyMemory } from "@/lib/limits/body-memory";
import { createChannelLimiter } from "@/lib/limits/channel-limiter";
import { createKeyLimiter } from "@/lib/limits/key-limiter";
import { createRunningWork, type RunningWork } from "@/lib/limits/running-work";
import type { MediaStore } from "@/lib/media/media-store";
import { type OpenMedia, openMedia } from "@/lib/media/open-media";
import type { S3Settings } from "@/lib/media/s3-store";
import type { Micropoints } from "@/lib/money/points";
import type { PriceVersion } from "@/lib/price-book/price-version";
import type { ImageMaker } from "@/lib/relay/image/image-task";
import { relayTable } from "@/lib/relay/relay-table";
import type { VideoDeps } from "@/lib/relay/video/video-deps";
import { createStoredResponses } from "@/lib/stored-responses/stored-responses";
import { pause } from "@/lib/timing/pause";
import type { NoteAttempt } from "@/lib/upstream/attempt";
import { createChooser } from "@/lib/upstream/choose";
import type { Channel } from "@/lib/upstream/provider";
import type { SilenceDeadlines } from "@/lib/upstream/transport/chat-calls";
import { createProviders } from "@/lib/upstream/wiring/create-providers";
import { usualTerms } from "../accounts/usual-terms";
import { keepLine } from "../unit/recent-lines";
import { type RelayClient, relayClientOf, type TestAnswer, withSchemaCheck } from "./answers";
import { collectingLog } from "./collecting-log";
import {
  type ConnectionOptions,
  type Connections,
  openConnections,
  openConnectionsBeside,
} from "./connections";
import { keyRoutesOf } from "./key-routes";
import { rememberIn } from "./remembered";
import { type End, endsQuery, fund, priceBookOf, priceOfTests, type Seeded } from "./seed";
import { keyAuthenticatorOf, ofKey } from "./test-keys";
import { type VideoOptions, videoMaker } from "./video-maker";

export interface TestRelay extends RelayClient {
  readonly find: FindEndpoint;
  readonly ledger: OpenLedger;
  readonly pool: pg.Pool;
  /** The video dependencies of one more process on the same tasks. */
  videoDeps(changes?: Partial<VideoDeps>): VideoDeps;
  /** The dependencies of this relay's video endpoints. */
  readonly video: VideoDeps;
  readonly running: RunningWork;
  readonly accountId: string;
  readonly media: MediaStore;
  readonly seeded: Seeded;
  readonly alarms: Record<string, unknown>[];
  readonly logged: string[];
  readonly setting: {
    channels: readonly Channel[];
    price: PriceVersion["price"] | null;
    /** Prices by model, with which a test replaces those of the seed. */
    readonly versions: Map<string, PriceVersion>;
    principal: ApiKeyPrincipal;
    /** For how many days responses are stored. */
    responseDays: number;
  };
  /** Sends a chat request with default fields and reads the whole answer. */
  chat(body?: object, headers?: Record<string, string>): Promise<TestAnswer>;
  balance(): Promise<{ available: Micropoints; held: Micropoints }>;
  /** The ends of all operations in order, or of those after the first `known`. Waits until none is open. */
  ends(known?: number): Promise<End[]>;
  close(): Promise<void>;
}

const secrets = fixedSecrets("s".repeat(32));

export const hello = [{ role: "user", content: "hello" }];

function fail(error: unknown): never {
  throw error;
}

export interface TestRelayOptions extends VideoOptions, ConnectionOptions {
  /** The account's balance at the start, as decimal points. */
  readonly points?: string;
  readonly publicUrl?: string;
  readonly silence?: SilenceDeadlines;
  /** How long a stream of text may be silent before its client is told that it goes on. */
  readonly keepAliveMs?: number;
  /** Makes the new relay another process on this relay's database. */
  readonly beside?: TestRelay;
  readonly noteAttempt?: NoteAttempt;
  /** Where results are stored; a folder by default. */
  readonly s3?: S3Settings;
  readonly contents?: ContentKeeper;
  /** True: videos are copied into a real store. */
  readonly keepsVideos?: boolean;
  /** These wrap what the endpoints of videos and of images work with. */
  readonly wrapVideo?: (deps: VideoDeps) => VideoDeps;
  readonly wrapMaker?: (maker: ImageMaker) => ImageMaker;
}

function settingOf(
  { channels }: TestRelayOptions,
  { apiKeyId, accountId }: Seeded,
): TestRelay["setting"] {
  const free = { requestsPerMinute: 1_000_000, models: [], ...usualTerms };
  return {
    channels,
    price: priceOfTests,
    versions: new Map(),
    responseDays: 30,
    principal: { ...ofKey(accountId, apiKeyId), ...free },
  };
}

/** Where results are stored: in a folder of the relay's own, unless it has an S3 store. */
async function openResults(pool: pg.Pool, options: TestRelayOptions) {
  const dataFolder = mkdtempSync(join(tmpdir(), "relay-data-"));
  const media = await openMedia({
    pool,
    secrets,
    publicUrl: options.publicUrl ?? "http://relay.test",
    s3: options.s3 ?? null,
    dataFolder,
    // Behind a proxy, problems are expected.
    reportProblem: options.through ? () => {} : fail,
  });
  const close = async () => {
    await media.close();
    rmSync(dataFolder, { recursive: true, force: true });
  };
  return { ...media, close };
}

/** The dependencies of the endpoints. All are real except keys and prices. */
function joinDeps(
  connections: Connections,
  results: OpenMedia,
  setting: TestRelay["setting"],
  log: Log,
  options: TestRelayOptions,
) {
  const { seeded, ledger, pool, changes } = connections;
  const running = createRunningWork();
  const providers = createProviders(undefined, options.silence);
  const priceBook = priceBookOf(setting, seeded.priceIds);
  const chooser = createChooser({
    channelsFor: () => setting.channels,
    limiter: createChannelLimiter(),
    remember: rememberIn(setting),
    noteAttempt(attempt) {
      if (attempt.failure !== null) keepLine(`attempt failed ${JSON.stringify(attempt.failure)}`);
      options.noteAttempt?.(attempt);
    },
  });
  const shared = {
    ledger,
    priceBook,
    chooser,
    provider: providers.video,
    imageProvider: providers.image,
    media: results.media,
    running,
    log,
    changes,
    pool,
  };
  const { videoDeps, closeWaiters } = videoMaker(shared, options);
  const video = videoDeps(options.keepsVideos ? { results: results.media } : {});
  const publicUrl = options.publicUrl ?? "http://relay.test";
  const deps = {
    keyAuthenticator: keyAuthenticatorOf(setting),
    sessionPrincipal: (signedIn: SignedIn) => readSessionPrincipal(pool, signedIn),
    keyLimiter: createKeyLimiter(),
    log,
    idempotencyRunner: openIdempotencyRunner({ relayPool: pool, secrets }, ledger.nodeId, log),
    publicUrl,
    bodyMemory: createBodyMemory(),
    admitTags: openTagBook(pool),
    pool,
    historyReaders: { of: () => pool },
    callbackSecretOf: (apiKeyId: string) => `whsec_${apiKeyId}`,
    priceBook,
    chooser,
    video: options.wrapVideo ? options.wrapVideo(video) : video,
    checkDatabase: async () => void (await pool.query("select 1")),
    ledger,
    provider: providers.chat,
    imageProvider: providers.image,
    media: results.media,
    ...options.wrapMaker?.({ imageProvider: providers.image, media: results.media }),
    links: results.links,
    storedResponses: createStoredResponses({ pool, secrets, days: () => setting.responseDays }),
    running,
    keepAliveMs: options.keepAliveMs,
    contents: options.contents,
  };
  return { deps, providers, videoDeps, closeWaiters };
}

/** Opens a relay on a database of its own, or beside another relay on that one's. */
export async function openTestRelay(options: TestRelayOptions): Promise<TestRelay> {
  const connections = await (options.beside
    ? openConnectionsBeside(options.beside.seeded, options)
    : openConnections(options, options.wrapVideo !== undefined));
  const { seeded, ledger, pool } = connections;
  const results = await openResults(pool, options);
  const { accountId } = seeded;
  if (!options.beside) await fund(ledger, accountId, options.points ?? "1000");
  const alarms: Record<string, unknown>[] = [];
  const logged: string[] = [];
  const setting = settingOf(options, seeded);
  const { deps, providers, videoDeps, closeWaiters } = joinDeps(
    connections,
    results,
    setting,
    collectingLog(alarms, logged),
    options,
  );
  const { running, video } = deps;
  const find = relayTable(deps, withSchemaCheck, keyRoutesOf(deps, { ...connections, secrets }));
  const client = relayClientOf(find);
  return {
    find,
    seeded,
    ledger,
    pool,
    videoDeps,
    video,
    running,
    accountId,
    media: results.media,
    alarms,
    logged,
    setting,
    ...client,
    chat: (body = {}, headers = {}) =>
      client.send("/v1/chat/completions", {
        body: JSON.stringify({ model: "RelayV1", messages: hello, ...body }),
        headers,
      }),
    balance: () => ledger.balance(accountId),
    async ends(known = 0) {
      while (running.count > 0) await pause(5);
      return (await pool.query<End>(`${endsQuery} offset $1`, [known])).rows;
    },
    async close() {
      closeWaiters();
      await running.drain(10_000);
      await Promise.all([providers.close(), results.close()]);
      await connections.close();
    },
  };
}
