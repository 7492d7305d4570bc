/** A relay as it runs: behind its server, with the sandbox as its upstream and a worker for videos. */
import type { AddressInfo } from "node:net";
import type { FindEndpoint } from "@/lib/http/route-table";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { startSandbox } from "@/lib/sandbox/sandbox";
import { createWebServer } from "@/server/web-server";
import { rememberingStudio } from "../sandbox/remembering-studio";
import { openTestRelay, type TestRelay } from "./test-relay";

export interface ServedRelay {
  readonly relay: TestRelay;
  readonly origin: string;
  close(): Promise<void>;
}

/** `before` may answer a request in place of the relay. */
export async function serveRelay(
  before: (...asked: Parameters<FindEndpoint>) => ReturnType<FindEndpoint> = () => undefined,
): Promise<ServedRelay> {
  const sandbox = await startSandbox({ pace: 0, studio: rememberingStudio() });
  let relay: TestRelay | undefined;
  const { server } = createWebServer({
    find: (...asked) => before(...asked) ?? relay?.find(...asked),
    answerPage: async (_request, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const opened = await openTestRelay({
    channels: [sandbox.channel],
    points: "1000000",
    // Links to results lead here.
    publicUrl: origin,
    keepsVideos: true,
  });
  relay = opened;
  const worker = createVideoWorker(opened.video);
  worker.start();
  return {
    relay: opened,
    origin,
    async close() {
      await worker.stop(2000);
      server.close().closeAllConnections();
      await opened.close();
      await sandbox.close();
    },
  };
}
