import type pg from "pg";
import { afterAll, expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import type { ChannelEvent } from "../cluster/channel-news";
import { type Changes, openChanges } from "../db/changes";
import { openPool } from "../db/pool";
import { createChannelRests } from "../upstream/channel-cooldowns";
import { createHealthRecorder } from "./health-recorder";
import { presentRests, type SharedEvents, shareChannelEvents } from "./shared-events";

interface Process {
  readonly pool: pg.Pool;
  readonly changes: Changes;
  readonly events: SharedEvents;
  readonly heard: ChannelEvent[];
}

const url = await createTestDatabase();
const open = async (nodeId: string): Promise<Process> => {
  const [pool, changes] = [openPool(url, 2), await openChanges(url)];
  const events = shareChannelEvents({ pool, changes, nodeId });
  const heard: ChannelEvent[] = [];
  events.hear((event) => heard.push(event));
  return { pool, changes, events, heard };
};
const processes = [await open("node_a"), await open("node_b"), await open("node_c")] as const;
afterAll(async () => {
  for (const { pool, changes } of processes) {
    await changes.close();
    await pool.end();
  }
});

test("what happens at a channel is told to every other process, each time, and not to the sender", async () => {
  const [one, two, three] = processes;
  const told: ChannelEvent[] = [
    { channelId: "chn_1", what: "no_usage" },
    { channelId: "chn_1", what: "no_usage" },
    { channelId: "chn_1", what: "no_usage" },
    { channelId: "chn_2", what: "trouble" },
    { channelId: "chn_2", what: "busy", waitSeconds: 40 },
  ];
  for (const event of told) one.events.tell(event);
  await expect.poll(() => two.heard).toEqual(told);
  await expect.poll(() => three.heard).toEqual(told);
  two.events.tell({ channelId: "chn_2", what: "answer" });
  await expect.poll(() => one.heard).toEqual([{ channelId: "chn_2", what: "answer" }]);
});

test("a notification that no process of this release sends is ignored, and so is the periodic one", async () => {
  const [one, two] = processes;
  const before = two.heard.length;
  for (const text of ["", "x", "node_z 1 exploded chn_1", "node_z 1 trouble"])
    await one.pool.query("select pg_notify('relay_change', $1)", [`channel_news:${text}`]);
  one.events.tell({ channelId: "chn_last", what: "busy" });
  await expect.poll(() => two.heard.at(-1)).toEqual({ channelId: "chn_last", what: "busy" });
  expect(two.heard).toHaveLength(before + 1);
});

test("while the database does not answer, a thousand events wait and the rest are dropped", async () => {
  const sent: string[][] = [];
  const answers: (() => void)[] = [];
  const pool = {
    query: (_text: string, [texts]: [string[]]) => {
      sent.push(texts);
      return new Promise<void>((resolve) => answers.push(resolve));
    },
  };
  const { changes } = processes[0];
  const slow = shareChannelEvents({ pool, changes, nodeId: "node_slow" });
  for (let n = 0; n < 3000; n++) slow.tell({ channelId: `chn_${n}`, what: "trouble" });
  answers[0]?.();
  await expect.poll(() => sent.map(({ length }) => length)).toEqual([1, 1000]);
});

test("a process that starts knows how long a channel is in cooldown", async () => {
  const [{ pool }] = processes;
  const recorder = createHealthRecorder({
    pool,
    nodeId: "node_a",
    cooldownOf: () => 60_000,
    onProblem: (error) => {
      throw error;
    },
  });
  recorder.begin({ id: "chn_resting" } as never);
  await recorder.flush();
  const cooldowns = createChannelRests(() => performance.now());
  cooldowns.learn(await presentRests(pool));
  expect(cooldowns.cooldownOf("chn_resting")).toBeGreaterThan(50_000);
  expect(cooldowns.cooldownOf("chn_resting")).toBeLessThanOrEqual(60_000);
  expect(cooldowns.cooldownOf("chn_other")).toBe(0);
  await recorder.close();
});
