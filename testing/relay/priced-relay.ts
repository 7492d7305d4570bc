/** A test relay on the sandbox, with the pages that show its prices and charges. */
import type { UserSession } from "@/lib/accounts/session-store";
import { fixedSecrets } from "@/lib/crypto/secrets";
import { connectDatabase } from "@/lib/db/client";
import { answerRequest } from "@/lib/http/fetch-lane";
import { pageHandlers } from "@/lib/pages-api/page-handlers";
import type { PagesDeps } from "@/lib/pages-api/pages-deps";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { readSettings } from "@/lib/settings/settings";
import { pagesHostOf } from "../pages-api/pages-host";
import { startQuickSandbox } from "../sandbox/quick-sandbox";
import { openTestRelay, type TestRelay } from "./test-relay";

type ShownPage = "showPrices" | "showRequest" | "showStatement" | "showTask" | "showTypicalTimes";

export interface PricedRelay {
  readonly relay: TestRelay;
  page<Answer>(name: ShownPage, id?: string): Promise<Answer>;
  /** Sends a request as a signed-in page does: with the session as principal, without a key. Waits at the limit of a minute. */
  send(path: string, body: object): Promise<{ json: Record<string, unknown>; requestId: string }>;
  close(): Promise<void>;
}

function pagesOf(relay: TestRelay, database: ReturnType<typeof connectDatabase>) {
  const { priceBook } = relay.video;
  const settings = { ...readSettings({}), publicUrl: "http://relay.test" };
  const { pool, ledger, accountId } = relay;
  const historyReaders = { of: () => pool };
  const secrets = fixedSecrets("s".repeat(32));
  const deps = { pool, historyReaders, ledger, database, priceBook, settings, secrets };
  return pageHandlers(
    pagesHostOf({
      deps: () => deps as unknown as PagesDeps,
      publicUrl: () => "http://relay.test",
      currentUser: async () => ({ accountId, userId: "user_a", role: "owner" }) as UserSession,
      isOperator: () => false,
      hasRecentProof: async () => false,
      report: (_, __, error) => {
        throw error;
      },
    }),
  );
}

/** `multiplierPpm`: the account's. */
export async function openPricedRelay(multiplierPpm: number): Promise<PricedRelay> {
  const sandbox = await startQuickSandbox();
  const options = { channels: [sandbox.channel], points: "100000000", keepsVideos: true };
  const relay = await openTestRelay(options);
  await relay.pool.query("update account set own_multiplier_ppm = $2 where id = $1", [
    relay.accountId,
    multiplierPpm,
  ]);
  const worker = createVideoWorker(relay.videoDeps({ results: relay.video.results }), {
    parallelMax: 50,
    claimMax: 50,
    idleMs: 10,
  });
  worker.start();
  const database = connectDatabase(relay.seeded.url);
  const routes = pagesOf(relay, database);
  let sent = 0;
  const send: PricedRelay["send"] = async (path, body) => {
    const headers = { "content-type": "application/json" };
    const request = new Request(`http://relay.test/v1${path}`, {
      method: "POST",
      headers,
      body: JSON.stringify(body),
    });
    const response = await answerRequest(relay.find, request, {
      accountId: relay.accountId,
      // A person may send 60 requests a minute.
      userId: `user_${Math.floor(sent++ / 60)}`,
    });
    const json = (await response.json()) as Record<string, unknown>;
    if (response.status !== 200) throw new Error(JSON.stringify(json));
    return { json, requestId: response.headers.get("x-request-id") ?? "" };
  };
  return {
    relay,
    async page(name, id = "") {
      const day = new Date().toISOString().slice(0, 10);
      const query = name === "showStatement" ? `?from=${day}&to=${day}` : "";
      const response = await routes[name](new Request(`http://relay.test/api/x${query}`), id);
      return response.json();
    },
    send,
    async close() {
      await worker.stop(2000);
      await database.$disconnect();
      await relay.close();
      await sandbox.close();
    },
  };
}
