/** Tests that every example in the API document works unchanged. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { examples } from "../contract/examples";
import type { Sandbox } from "../sandbox/sandbox";
import { createVideoWorker, type VideoWorker } from "./video/video-worker";

let sandbox: Sandbox;
let relay: TestRelay;
let worker: VideoWorker;

beforeAll(async () => {
  sandbox = await startQuickSandbox();
  relay = await openTestRelay({ channels: [sandbox.channel], points: "100000" });
  await seedMembers(relay);
  worker = createVideoWorker(relay.videoDeps(), { parallelMax: 4, claimMax: 4, idleMs: 20 });
  worker.start();
});
afterAll(async () => {
  await worker.stop(5000);
  await relay.close();
  await sandbox.close();
});

const posts = (Object.values(endpoints) as EndpointRow[]).filter(({ method }) => method === "POST");
const cases = posts.flatMap((row) =>
  (examples()[row.path] ?? []).map((example) => ({
    row,
    example,
    title: `${row.path} ${example.name}`,
  })),
);

/** The end of a whole stream, by the API that it is in. */
const ends: Readonly<Record<string, RegExp>> = {
  chat: /data: \[DONE\]\n\n$/,
  messages: /event: message_stop\n.*\n\n$/,
  responses: /event: response\.completed\n.*\n\n$/,
  // Videos are not streamed.
  videos: /^$/,
};

test.each(cases)(
  "the example $title works and its answer has the documented form",
  async ({ row, example }) => {
    const { status, text, json } = await relay.send(row.path, {
      headers: { authorization: row.admits.includes("apiKey") ? "Bearer good" : "Bearer manage" },
      body: JSON.stringify(example.body),
    });
    expect([status, text]).toEqual([200, expect.anything()]);
    if ((example.body as { stream?: boolean }).stream)
      expect(text).toMatch(ends[row.dialect ?? "chat"] ?? /^$/);
    else expect(row.response.safeParse(json).error).toBeUndefined();
  },
);
