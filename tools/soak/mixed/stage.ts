/**
 * Everything of a run: three servers on one PostgreSQL and, where it is installed, one Redis.
 */
import { join } from "node:path";
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import { hasRedis, startTestRedis, type TestRedis } from "@/testing/limits/test-redis";
import type { Server } from "@/testing/stage/server";
import { openSoak, type Soak } from "../installation";
import { clockOf, fakeTimeLibrary } from "./servers";

export interface Stage extends Soak {
  readonly steady: Server;
  readonly killed: Server;
  readonly cluster: Server;
  readonly redis: TestRedis | null;
  readonly hasClocks: boolean;
  databaseIsUp(): Promise<boolean>;
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

export async function openMixedStage(folder: string): Promise<Stage> {
  const redis = hasRedis ? await startTestRedis() : null;
  const library = fakeTimeLibrary();
  const server = (name: string, workers: number) => ({
    // An interrupt from the terminal ends the run, not its servers.
    spawn: { detached: true },
    settings: {
      ...(library === null ? {} : clockOf(library, join(folder, `${name}.clock`))),
      RELAY_PROCESSES: String(workers),
    },
  });
  const soak = await openSoak({
    folder,
    database: "shared",
    settings: redis === null ? {} : { REDIS_URL: redis.url },
    servers: {
      steady: server("steady", 1),
      killed: server("killed", 1),
      cluster: server("cluster", 2),
    },
  });
  const [steady, killed, cluster] = soak.servers;
  if (!steady || !killed || !cluster) throw new Error("a server is missing");
  return {
    ...{ ...soak, steady, killed, cluster, redis },
    hasClocks: library !== null,
    databaseIsUp: () => isUp(soak.database.url),
    async close(keeps) {
      await redis?.kill();
      await soak.close(keeps);
    },
  };
}
