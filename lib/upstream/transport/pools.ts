/** Connections to upstreams. A pool knows one origin and follows no redirect, so a credential goes to its own origin only. */
import { Pool } from "undici";
import { upstreamConnector } from "../../net/connect-upstream";
import type { Channel } from "../provider";

const CONNECT_MS = 10_000;

/** Where a request of a channel goes. */
export interface Place {
  readonly pool: Pool;
  readonly path: string;
}

export interface Pools {
  /** `path` stands below the channel's base URL. Throws when that is no URL. */
  placeOf(channel: Channel, path: string): Place;
  close(): Promise<void>;
}

/** `certificates`: more to trust, PEM. Verification itself cannot be switched off. */
export function createPools(connectionsMax: number, certificates?: string): Pools {
  const pools = new Map<string, Pool>();

  function poolFor(origin: string): Pool {
    let pool = pools.get(origin);
    if (!pool) {
      const connect = upstreamConnector({ timeout: CONNECT_MS, ...(certificates ? { ca: certificates } : {}) });
      // The deadlines are ours; undici's own timers stay off.
      pool = new Pool(origin, { connections: connectionsMax, headersTimeout: 0, bodyTimeout: 0, connect });
      pools.set(origin, pool);
    }
    return pool;
  }

  return {
    placeOf({ baseUrl }, path) {
      const base = new URL(baseUrl);
      const pathname = base.pathname.replace(/\/$/, "");
      return { pool: poolFor(base.origin), path: `${pathname}${path}${base.search}` };
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
