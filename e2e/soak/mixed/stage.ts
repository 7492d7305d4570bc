/**
 * What a run needs: PostgreSQL, Redis, the upstream, and three servers on one database. The steady
 * one is never killed, so that its memory can be watched; one is killed; one is a cluster. The
 * steady one takes no points leases, the others do, as while an installation turns them on.
 */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "@/lib/db/embedded";
import { livePostmaster } from "@/lib/db/embedded/postmaster";
import { pause } from "@/lib/pause";
import { hasRedis, startTestRedis, type TestRedis } from "@/testing/limits/test-redis";
import { processTree } from "../processor-time";
import { type Environment, freePort, relay } from "../product";
import { type Writing, writeBook } from "./book";
import { fakeTimeLibrary, Server, withClock } from "./servers";
import { type MixedUpstream, startMixedUpstream } from "./upstream";

const EMAIL = "soak@example.com";
export const PASSWORD = "a-long-soak-password";
const POINTS = "100000000";
const CHANNELS = 4;
/** What `npm start` gives to the C library. */
const allocation = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "131072",
  MALLOC_TRIM_THRESHOLD_: "1048576",
};

export interface Stage {
  readonly folder: string;
  readonly bookFile: string;
  readonly book: Writing;
  readonly servers: readonly Server[];
  readonly steady: Server;
  readonly killed: Server;
  readonly cluster: Server;
  readonly upstream: MixedUpstream;
  readonly database: EmbeddedPostgres;
  readonly redis: TestRedis | null;
  readonly hasClocks: boolean;
  readonly apiKey: string;
  readonly email: string;
  /** The environment of the command line. */
  readonly tools: Environment;
  databasePids(): number[];
  databaseIsUp(): Promise<boolean>;
  stop(): Promise<void>;
}

async function furnish(tools: Environment, port: number): Promise<string> {
  const account = ["--email", EMAIL, "--password", PASSWORD, "--points", POINTS];
  await relay(tools, "account", "create", ...account);
  const upstream = `http://127.0.0.1:${port}`;
  const channel = (name: string, protocol: string, path: string, models: string) =>
    relay(
      tools,
      ...["channel", "create", "--name", name, "--protocol", protocol],
      ...["--base-url", `${upstream}${path}`, "--models", models, "--rps", "0", "--rpm", "0"],
    );
  for (let n = 1; n <= CHANNELS; n++)
    await channel(`text ${n}`, "openai", `/${n}/v1`, "RelayV1=recorded");
  const media = "Super-Relay1.5=recorded-video,Super-Relay-Image=recorded-image";
  await channel("media", "ark", "/api/v3", media);
  const words = ["key", "create", "--email", EMAIL, "--name", "soak", "--rpm", "1000000"];
  return (await relay<{ secret: string }>(tools, ...words)).secret;
}

async function createServers(folder: string, common: Environment): Promise<Server[]> {
  const library = fakeTimeLibrary();
  const create = async (name: string, workers: number, leases: "on" | "off") => {
    const own = join(folder, name);
    mkdirSync(own, { mode: 0o700 });
    const environment = {
      ...common,
      RELAY_DATA_DIR: own,
      PORT: String(await freePort()),
      RELAY_PROCESSES: String(workers),
      RELAY_POINTS_LEASES: leases,
    };
    const clockFile = library === null ? null : join(folder, `${name}.clock`);
    return new Server({
      name,
      workers,
      clockFile,
      environment:
        library === null || clockFile === null
          ? environment
          : withClock(environment, library, clockFile),
    });
  };
  return [
    await create("steady", 1, "off"),
    await create("killed", 1, "on"),
    await create("cluster", 2, "on"),
  ];
}

async function isUp(databaseUrl: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 2000 });
  client.on("error", () => {});
  try {
    await client.connect();
    await client.query("select 1");
    return true;
  } catch {
    return false;
  } finally {
    await Promise.race([client.end().catch(() => {}), pause(500)]);
  }
}

export async function openStage(folder: string): Promise<Stage> {
  const bookFile = join(folder, "book.jsonl");
  const book = writeBook(bookFile);
  const databaseFolder = join(folder, "database");
  const [upstream, database, redis] = await Promise.all([
    startMixedUpstream(book),
    startEmbeddedPostgres(databaseFolder),
    hasRedis ? startTestRedis() : null,
  ]);
  const tools = {
    ...allocation,
    RELAY_SANDBOX: "off",
    RELAY_WELCOME_POINTS: "0",
    RELAY_LOG_LEVEL: "warn",
    NODE_ENV: "production",
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    RELAY_DATA_DIR: join(folder, "steady"),
    RELAY_SECRET: "one-secret-for-all-servers-of-the-soak",
    ...(redis && { REDIS_URL: redis.url }),
  };
  const servers = await createServers(folder, tools);
  const [steady, killed, cluster] = servers;
  if (!steady || !killed || !cluster) throw new Error("a server is missing");
  await steady.start();
  const apiKey = await furnish(tools, upstream.port);
  await killed.start();
  await cluster.start();
  return {
    ...{ folder, bookFile, book, servers, steady, killed, cluster, upstream, database, redis },
    hasClocks: fakeTimeLibrary() !== null,
    ...{ apiKey, email: EMAIL, tools },
    databasePids: () => {
      const postmaster = livePostmaster(join(databaseFolder, "postgres", "cluster"));
      return postmaster === undefined ? [] : processTree(postmaster.pid);
    },
    databaseIsUp: () => isUp(database.url),
    stop: async () => {
      book.close();
      await redis?.kill();
      await upstream.close();
      await database.stop();
    },
  };
}
