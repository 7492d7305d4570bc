/** What every soak has: servers, an upstream, the book of the run, and a verdict at its end. */
import { join } from "node:path";
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import { seeded } from "@/testing/extent/random";
import {
  auditFaults,
  makeAccount,
  makeChannel,
  makeKey,
  type Relay,
} from "@/testing/stage/command-line";
import {
  type Database,
  openDatabase,
  openStage,
  type Stage,
  type StageOptions,
} from "@/testing/stage/stage";
import { type Writing, writeBook } from "./mixed/book";
import { type Clients, type ClientsOptions, startClients } from "./mixed/clients";
import { compare } from "./mixed/compare";
import { createOrders, type OrderPlan } from "./mixed/orders";
import { auditOfOwn } from "./mixed/own-audit";
import { type SoakUpstream, startSoakUpstream } from "./mixed/upstream";

export const EMAIL = "soak@example.com";
const POINTS = 100_000_000;
const CHANNELS = 4;
const AUDIT_TRIES = 30;
const ENDING_MS_MAX = 300_000;
const settings = {
  RELAY_SANDBOX: "off",
  RELAY_WELCOME_POINTS: "0",
  RELAY_LOG_LEVEL: "warn",
};

export interface Soak extends Stage {
  readonly bookFile: string;
  readonly book: Writing;
  readonly upstream: SoakUpstream;
  readonly database: Database;
  readonly apiKey: string;
}

async function furnish(relay: Relay, upstream: string): Promise<string> {
  await makeAccount(relay, EMAIL, POINTS);
  const models = "RelayV1=recorded";
  for (let n = 1; n <= CHANNELS; n++) {
    const baseUrl = `${upstream}/${n}/v1`;
    await makeChannel(relay, { name: `text ${n}`, protocol: "openai", baseUrl, models });
  }
  const media = "Super-Relay1.5=recorded-video,Super-Relay-Image=recorded-image";
  const place = { protocol: "ark", baseUrl: `${upstream}/api/v3` } as const;
  await makeChannel(relay, { name: "media", ...place, models: media });
  return (await makeKey(relay, EMAIL)).secret;
}

/** Starts everything: an account with points and a key, and channels to the upstream. */
export async function openSoak(options: StageOptions): Promise<Soak> {
  const stage = await openStage({ ...options, settings: { ...settings, ...options.settings } });
  const { servers, relay, folder } = stage;
  const bookFile = join(folder, "book.jsonl");
  const book = writeBook(bookFile);
  const upstream = await startSoakUpstream(book);
  const [first, ...others] = servers;
  if (first === undefined) throw new Error("a soak needs a server");
  await first.start();
  const database = stage.database ?? (await openDatabase(first.dataFolder));
  const apiKey = await furnish(relay, upstream.url);
  for (const server of others) await server.start();
  return {
    ...{ ...stage, bookFile, book, upstream, database, apiKey },
    async close(keeps) {
      book.close();
      await upstream.close();
      for (const server of servers) server.abandon();
      if (stage.database === null) await database.stop();
      await stage.close(keeps);
    },
  };
}

/** Runs `work` on a soak, which returns its faults. Its folder is kept where there are some. */
export async function withSoak(
  options: StageOptions,
  work: (soak: Soak) => Promise<string[]>,
): Promise<string[]> {
  const soak = await openSoak(options);
  let faults = ["the run was not ended"];
  try {
    faults = await work(soak);
  } finally {
    await soak.close(faults.length > 0);
  }
  return faults;
}

/** Starts clients that order by a plan: with the key of the soak at all its servers, unless it is said. */
export function orderers({ apiKey, book, servers }: Soak, run: string, plan: OrderPlan) {
  const random = seeded(Date.now());
  const nextOrder = createOrders(random, `${run}-${Date.now()}`, plan);
  return (count: number, more: Partial<ClientsOptions> = {}): Clients => {
    const urls = servers.map(({ url }) => url);
    return startClients({ apiKey, book, urls, count, random, nextOrder, pauseMs: 50, ...more });
  };
}

/** The first row that a query returns. */
export async function readRow<Row extends object>(
  { database }: Soak,
  text: string,
  values: unknown[] = [],
): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  const { rows } = await client.query<Row>(text, values).finally(() => client.end());
  return rows[0];
}

/** Waits until no operation is open, up to five minutes. */
export async function waitUntilAllEnded(soak: Soak): Promise<void> {
  const text = "select count(*)::int as n from open_request";
  for (const started = Date.now(); Date.now() - started < ENDING_MS_MAX; await pause(500))
    if ((await readRow<{ n: number }>(soak, text))?.n === 0) return;
}

/** The faults that the product's audit finds. It refuses while a server audits by itself. */
export async function productFaults({ relay }: Soak): Promise<string[]> {
  for (let tries = 1; ; tries++)
    try {
      return await auditFaults(relay);
    } catch (error) {
      if (tries === AUDIT_TRIES || !String(error).includes("already running")) throw error;
      await pause(5000);
    }
}

/** Stops all servers, and returns those that did not end well. */
export async function stopServers({ servers }: Soak): Promise<string[]> {
  const faults: string[] = [];
  for (const server of servers) {
    const code = await server.stop();
    if (code !== 0) faults.push(`the server "${server.name}" ended with ${code} on SIGTERM`);
  }
  return faults;
}

/** A soak that was asked for and cannot run: said, and a fault, not a pass. */
export function cannotRun(reason: string): string[] {
  console.error(reason);
  return [reason];
}

/**
 * Once the clients have stopped: compares the ledger with the book, runs both audits, and stops the
 * servers. Returns what is wrong, and prints it after `title`. `missing`: see `compare`.
 */
export async function faultsOf(
  soak: Soak,
  title: string,
  more: readonly string[],
  missing?: ReadonlySet<string>,
) {
  await waitUntilAllEnded(soak);
  const { bookFile, database } = soak;
  const { examples, settled, operations } = await compare(bookFile, database.url, true, missing);
  const own = await auditOfOwn(soak.database.url);
  const product = await productFaults(soak);
  const faults = [...more, ...examples, ...own.faults, ...product, ...(await stopServers(soak))];
  console.log(`${title}: ${operations} operations, ${settled} charges, ${faults.length} faults`);
  for (const fault of faults.slice(0, 20)) console.error(fault);
  return faults;
}
