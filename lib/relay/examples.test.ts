/** Tests that every example in the API document works unchanged. */
import { expect, test } from "vitest";
import { seedMembers } from "@/testing/relay/members";
import { openTestRelay } from "@/testing/relay/test-relay";
import { openWorker } from "@/testing/relay/video-client";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { opened } from "@/testing/unit/opened";
import type { EndpointRow } from "../contract/endpoint";
import { endpoints } from "../contract/endpoints";
import { examples } from "../contract/examples";

const sandbox = await opened(startQuickSandbox());
const relay = await opened(openTestRelay({ channels: [sandbox.channel], points: "100000" }));
await seedMembers(relay);
(await openWorker(relay.videoDeps())).start();

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
