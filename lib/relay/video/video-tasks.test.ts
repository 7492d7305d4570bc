/** Tests tasks as their owner polls, lists, cancels and hides them. */
import { afterEach, beforeEach, expect, test } from "vitest";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import { TASKS, videoClient } from "@/testing/relay/video-client";
import {
  startVideoUpstream,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";

let upstream: VideoUpstream;
let relay: TestRelay;
const { close, work, order, poll, ended } = videoClient(() => relay);
beforeEach(async () => {
  upstream = await startVideoUpstream();
  relay = await openTestRelay({
    channels: [upstream.channel],
    points: "10000",
    videoTimes: { waitMs: 10_000 },
  });
});
afterEach(async () => {
  const faults = await close();
  await upstream.close();
  expect(faults).toEqual([]);
});

test("another account's task gets the same 404 as a missing one, in every route", async () => {
  const { id } = (await order()).json;
  const headers = { authorization: "Bearer other" };
  for (const method of ["GET", "DELETE"]) {
    const foreign = await relay.send(`${TASKS}/${id}`, { method, headers });
    const none = await relay.send(`${TASKS}/cgt-none`, { method, headers });
    expect([foreign.status, foreign.text]).toEqual([404, none.text]);
  }
  const streamed = await relay.send(`${TASKS}/${id}/stream`, { headers });
  expect([streamed.status, streamed.json.error?.code]).toEqual([404, "task_not_found"]);
  expect((await relay.send(TASKS, { headers })).json).toEqual({ items: [], total: 0 });
});

test("a queued task is cancelled free once the upstream agrees, a running one is not, an ended one is hidden", async () => {
  const before = await relay.balance();
  const remove = (id: unknown) => relay.send(`${TASKS}/${id}`, { method: "DELETE" });
  upstream.script.state = () => ({ status: "queued" });
  const { id } = (await order()).json;
  expect((await remove(id)).status).toBe(200);
  expect((await poll(id)).json).toMatchObject({
    status: "cancelled",
    error: { code: "task_cancelled" },
  });
  expect(await relay.balance()).toEqual(before);
  const running = (await order()).json.id;
  upstream.script.state = () => ({ status: "running" });
  expect((await remove(running)).json.error?.code).toBe("task_not_cancellable");
  upstream.script.state = () => succeeded();
  work();
  await ended(running);
  const after = await relay.balance();
  expect((await remove(running)).status).toBe(200);
  expect((await poll(running)).status).toBe(404);
  expect((await relay.send(TASKS)).json).toMatchObject({ total: 1, items: [{ id }] });
  expect(await relay.balance()).toEqual(after);
});

test("the list is paged and filtered by status, id and model, newest first", async () => {
  upstream.script.state = () => ({ status: "queued" });
  const ids = [];
  for (const model of ["super-relay", "super-relay-2", "super-relay"])
    ids.unshift((await order("a cat", { model })).json.id);
  const list = async (query: string) =>
    (await relay.send(`${TASKS}?${query}`)).json as { items: { id: string }[]; total: number };
  const idsOf = async (query: string) => (await list(query)).items.map(({ id }) => id);
  expect(await idsOf("")).toEqual(ids);
  expect(await list("page_num=2&page_size=2")).toMatchObject({ total: 3, items: [{ id: ids[2] }] });
  expect(await idsOf("filter.model=Super-Relay")).toEqual([ids[0], ids[2]]);
  expect(await idsOf(`filter.task_ids=${ids[0]}&filter.task_ids=${ids[1]}`)).toEqual([
    ids[0],
    ids[1],
  ]);
  expect((await list("filter.status=succeeded")).total).toBe(0);
  expect((await list("filter.service_tier=flex")).total).toBe(0);
  await relay.pool.query('update video_task set facts = \'{"serviceTier":"flex"}\' where id = $1', [
    ids[1],
  ]);
  expect(await idsOf("filter.service_tier=flex")).toEqual([ids[1]]);
  expect(await idsOf("filter.service_tier=default")).toEqual([ids[0], ids[2]]);
  for (const bad of [
    ...["page_num=", "page_num=0", "page_size=501", "page_size=x", "filter.status=done"],
    ...["filter.service_tier=fast", "filter.task_ids=a%20b"],
    ...[`filter.task_ids=${"a".repeat(17_001)}`, `filter.task_ids=${"a,".repeat(500)}a`],
  ])
    expect((await relay.send(`${TASKS}?${bad}`)).status).toBe(400);
});

test("a stream has each state of a task, from the present one to its end", async () => {
  let end: () => void = () => {};
  const ending = new Promise<void>((resolve) => {
    end = resolve;
  });
  let isDone = false;
  void ending.then(() => {
    isDone = true;
  });
  upstream.script.state = () => (isDone ? succeeded() : { status: "running" });
  const { id } = (await order()).json;
  const response = await relay.fetch(`${TASKS}/${id}/stream`);
  expect(response.headers.get("content-type")).toContain("text/event-stream");
  work();
  const events: [string, string][] = [];
  let text = "";
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part;
    for (let cut = text.indexOf("\n\n"); cut >= 0; cut = text.indexOf("\n\n")) {
      const [name = "", data = ""] = text.slice(0, cut).split("\n");
      text = text.slice(cut + 2);
      if (!name.startsWith("event: ")) continue;
      const task = JSON.parse(data.slice("data: ".length)) as { status: string };
      events.push([name.slice("event: ".length), task.status]);
      if (task.status === "running") end();
    }
  }
  expect(events).toEqual([
    ["state", "queued"],
    ["state", "running"],
    ["end", "succeeded"],
  ]);
  expect(relay.running.count).toBe(0);
  expect((await relay.send(`${TASKS}/${id}/stream`)).text).toMatch(/^event: end\n/);
});

test("a poll after the link has expired returns success and the reason why there is no link", async () => {
  work();
  const { id } = (await order()).json;
  await ended(id);
  await relay.pool.query("update video_task set result_expires_at = now() - interval '1 second'");
  expect((await poll(id)).json).toMatchObject({
    status: "succeeded",
    content: { message: expect.stringContaining("24 hours") },
  });
  expect((await poll(id)).json.content).not.toHaveProperty("video_url");
});
