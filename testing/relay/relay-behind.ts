/** A relay whose upstream is another relay, which is at the sandbox; both advance their videos. */
import { builtInModels } from "@/lib/catalog/built-in";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { startQuickSandbox } from "../sandbox/quick-sandbox";
import { serveFind } from "../stage/serve-find";
import { opened } from "../unit/opened";
import { openTestRelay, type TestRelay } from "./test-relay";

/** All are open until the file's tests are over. The outer relay has one channel, with the id `ch_inner`. */
export async function openRelayBehind() {
  const sandbox = await opened(startQuickSandbox());
  const web = await opened(serveFind((method, path) => inner.find(method, path)));
  const open = async (options: Parameters<typeof openTestRelay>[0]) => {
    const relay = await opened(openTestRelay({ ...options, keepsVideos: true }));
    const worker = await opened(createVideoWorker(relay.video), (each) => each.stop(2000));
    worker.start();
    return relay;
  };
  const inner: TestRelay = await open({ channels: [sandbox.channel], publicUrl: web.origin });
  const channel = {
    ...{ ...sandbox.channel, id: "ch_inner", protocol: "relay" as const },
    ...{ baseUrl: `${web.origin}/v1`, apiKey: "good" },
    models: Object.fromEntries(builtInModels.map(({ id, alias }) => [id, alias])),
  };
  const outer = await open({ channels: [channel], publicUrl: "http://outer.test" });
  return { sandbox, inner, outer, channel };
}
