/** The composed relay behind its server, on a port of its own. */
import type { BlockList } from "node:net";
import { createWebServer } from "@/server/web-server";
import { listen } from "../stage/listen";
import { type ComposedRelay, startComposedRelay } from "./composed-relay";

export interface ServedComposition extends ComposedRelay {
  readonly origin: string;
}

export async function serveComposition(
  trustedProxies: BlockList | null = null,
): Promise<ServedComposition> {
  const composed = await startComposedRelay();
  const { server } = createWebServer({
    find: composed.relay.find,
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
    trustedProxies,
  });
  const { port, close } = await listen(server);
  return {
    ...composed,
    origin: `http://127.0.0.1:${port}`,
    async close() {
      await close();
      await composed.close();
    },
  };
}
