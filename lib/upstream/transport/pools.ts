/**
 * Connection pools for upstreams. A pool belongs to one origin, reached directly or through one
 * proxy, and follows no redirect, so a credential is sent to its own origin only.
 */
import { Pool } from "undici";
import { upstreamConnector } from "../../net/connect-upstream";
import { tunnelThrough } from "../../net/proxy-tunnel";
import type { Channel } from "../provider";

const CONNECT_MS = 10_000;

/** The destination of a channel's request. */
export interface Place {
  readonly pool: Pool;
  readonly path: string;
}

export interface Pools {
  /** `path` is relative to the channel's base URL. Throws when that is no URL. */
  placeOf(channel: Channel, path: string): Place;
  close(): Promise<void>;
}

/**
 * `certificates`: PEM certificates to trust in addition. Verification itself cannot be switched
 * off.
 */
export function createPools(connectionsMax: number, certificates?: string): Pools {
  const pools = new Map<string, Pool>();

  function poolFor(origin: string, proxy: string | undefined): Pool {
    const key = proxy === undefined ? origin : `${origin} ${proxy}`;
    let pool = pools.get(key);
    if (!pool) {
      const connect = upstreamConnector(
        { timeout: CONNECT_MS, ...(certificates ? { ca: certificates } : {}) },
        proxy === undefined ? null : tunnelThrough(proxy),
      );
      // Our own deadlines apply, so undici's timers are off.
      pool = new Pool(origin, {
        connections: connectionsMax,
        headersTimeout: 0,
        bodyTimeout: 0,
        connect,
      });
      pools.set(key, pool);
    }
    return pool;
  }

  return {
    placeOf({ baseUrl, proxy }, path) {
      const base = new URL(baseUrl);
      const pathname = base.pathname.replace(/\/$/, "");
      return { pool: poolFor(base.origin, proxy), path: `${pathname}${path}${base.search}` };
    },
    async close() {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}
