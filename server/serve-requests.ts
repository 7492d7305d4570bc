/** The relay and the pages on one port, from the first request to the last. */
import { once } from "node:events";
import next from "next";
import { composition, type Relay } from "@/lib/composition/composition";
import { parseTrustedProxies } from "@/lib/net/client-address";
import { log } from "@/lib/process/log";
import type { Settings } from "@/lib/settings/settings";
import { pause } from "@/lib/timing/pause";
import { projectFolder } from "./environment";
import { listenAtOtherLoopback } from "./other-loopback";
import { createWebServer } from "./web-server";

/** How long connections may take to close when all their requests have ended. */
const CLOSE_MS = 5000;
/** A connection that was idle for this long is closed when its worker retires. */
const QUIET_MS = 10_000;
/** Longer than the longest answer of a channel without a time of its own. */
const RETIRE_MS_MAX = 35 * 60_000;

export interface Serving {
  readonly relay: Relay;
  /**
   * Accepts no new connections, and resolves when the open ones are closed: their requests end as
   * if nothing had happened. They may be streams of half an hour.
   */
  retire(): Promise<void>;
  /** Ends the requests in flight and closes everything. `forced` ends the wait. */
  stop(forced: Promise<unknown>): Promise<void>;
}

/** Serves requests. All settings are in the environment, and the database is migrated. */
export async function openServing(settings: Settings): Promise<Serving> {
  const { HOST, PORT } = settings;
  const isDevelopment = process.env.NODE_ENV === "development";
  const relay = await composition();
  const pages = next({
    dev: isDevelopment,
    dir: projectFolder,
    hostname: HOST,
    port: PORT,
    quiet: !isDevelopment,
  });
  await Promise.all([relay.start(), pages.prepare()]);
  const web = createWebServer({
    find: relay.find,
    pages: relay.pages,
    answerPage: pages.getRequestHandler(),
    report: (error, path) => log.error({ err: error, path }, "an answer broke off"),
    trustedProxies: parseTrustedProxies(settings.RELAY_TRUSTED_PROXIES ?? ""),
    onUpgrade: isDevelopment ? pages.getUpgradeHandler() : undefined,
  });
  web.server.listen(PORT, HOST);
  await once(web.server, "listening");
  const second = await listenAtOtherLoopback(web.server, PORT, HOST);
  return {
    relay,
    retire() {
      second?.close();
      return Promise.race([web.retire(QUIET_MS), pause(RETIRE_MS_MAX, { isUnref: true })]);
    },
    async stop(forced) {
      second?.close();
      web.endConnections();
      await Promise.race([relay.drain(), forced]);
      const closed = new Promise((resolve) => web.server.close(resolve));
      web.server.closeIdleConnections();
      await Promise.race([closed, forced, pause(CLOSE_MS)]);
      web.server.closeAllConnections();
      await pages.close();
      await relay.close();
    },
  };
}
