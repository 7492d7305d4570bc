/** Two processes on one database and one upstream. */
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import { openTestRelay } from "../relay/test-relay";
import {
  chunk,
  completion,
  type Script,
  sendJson,
  startUpstream,
  streaming,
  usageChunk,
  usageOf,
} from "../upstream/test-upstream";

export const slowly: Script = async (response) => {
  await pause(300);
  sendJson(response, completion("hi", { usage: usageOf(10, 10) }));
};
export const streamed: Script = streaming(chunk({ content: "hi" }), usageChunk(usageOf(10, 10)));

export const withKey = (key: string) => ({ "idempotency-key": key });

export async function startTwoProcesses() {
  const asked: { script: Script } = { script: slowly };
  const upstream = await startUpstream((...args) => asked.script(...args));
  const relay = await openTestRelay({
    channels: [upstream.channel({ requestsPerSecond: 0, requestsPerMinute: 0 })],
  });
  const other = await openTestRelay({ channels: relay.setting.channels, beside: relay });
  const database = new pg.Client({ connectionString: relay.seeded.url });
  await database.connect();
  let keys = 0;
  return Object.assign(asked, {
    upstream,
    relay,
    other,
    database,
    freshKey: () => `order ${++keys}`,
    rowOf: async (key: string) =>
      (await database.query("select * from idempotent_request where key = $1", [key])).rows[0],
    settledOf: async () =>
      Number(
        (await database.query("select count(*) from request where outcome = 'settled'")).rows[0]
          .count,
      ),
    async close() {
      await database.end();
      await other.close();
      await relay.close();
      await upstream.close();
    },
  });
}
