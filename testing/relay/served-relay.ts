/** A relay as it runs: behind its server, with the sandbox as its upstream and a worker for videos. */
import type { FindEndpoint } from "@/lib/http/route-table";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { startQuickSandbox } from "../sandbox/quick-sandbox";
import { serveFind } from "../stage/serve-find";
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
  const sandbox = await startQuickSandbox();
  let relay: TestRelay | undefined;
  const web = await serveFind((...asked) => before(...asked) ?? relay?.find(...asked));
  const origin = web.origin;
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
      await web.close();
      await opened.close();
      await sandbox.close();
    },
  };
}
