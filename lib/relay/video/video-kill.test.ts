/**
 * Tests that a process which dies at any step of a video leaves a task that another process ends,
 * once.
 */
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { openTestRelay, type TestRelay } from "@/testing/relay/test-relay";
import {
  startVideoUpstream,
  stepwise,
  succeeded,
  type VideoUpstream,
} from "@/testing/upstream/video-upstream";
import { auditLedger } from "../../ledger/audit/audit";
import type { VideoDeps } from "./video-deps";
import { createVideoWorker } from "./video-worker";

/**
 * Lets the first `steps` steps run; every later one never returns. Half of the steps die after
 * their work, not before.
 */
function mortal(deps: VideoDeps, steps: number): { deps: VideoDeps; isDead: () => boolean } {
  let left = steps;
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          // A search for work that finds none does not count as a step.
          if (name === "claim" && left > 0) {
            const claimed = (await member.apply(object, given)) as unknown[];
            if (claimed.length > 0 && --left < 0) throw new Error("killed after");
            return claimed;
          }
          if (--left < 0) throw new Error("killed before");
          const result = await member.apply(object, given);
          if (--left < 0) throw new Error("killed after");
          return result;
        };
      },
    });
  const { ledger, table, provider, results } = deps;
  const dead = {
    ledger: dying(ledger),
    table: dying(table),
    provider: dying(provider),
    results: dying(results),
  };
  return { deps: { ...deps, ...dead }, isDead: () => left < 0 };
}

const forgetLeases = (relay: TestRelay) =>
  relay.pool.query(
    "update video_task set lease_until = now() - interval '1 second' where lease_until is not null",
  );
const bounds = { parallelMax: 10, claimMax: 10, idleMs: 5 };
const statuses = async (relay: TestRelay): Promise<string[]> =>
  (await relay.pool.query("select status from video_task")).rows.map(({ status }) => status);

async function endElsewhere(relay: TestRelay): Promise<void> {
  await forgetLeases(relay);
  const worker = createVideoWorker(relay.videoDeps(), bounds);
  worker.start();
  await expect
    .poll(async () => (await statuses(relay)).filter((status) => /queued|running/.test(status)), {
      timeout: 8000,
    })
    .toEqual([]);
  await worker.stop(2000);
}

async function verdict(relay: TestRelay, upstream: VideoUpstream): Promise<string> {
  const ends = await relay.ends();
  const client = await relay.pool.connect();
  const { checks } = await auditLedger(client).finally(() => client.release());
  expect(checks.filter(({ ok }) => !ok)).toEqual([]);
  expect(upstream.tasks.length).toBeLessThanOrEqual(1);
  expect(ends.length).toBeLessThanOrEqual(1);
  expect((await relay.balance()).held).toBe(0n);
  const [end] = ends;
  const [status] = await statuses(relay);
  expect(status).toBe(
    end === undefined ? undefined : end.outcome === "settled" ? "succeeded" : "failed",
  );
  return status ?? "none";
}

test("killed at each step of hold, submit, poll, copy and settle, a task ends once", async () => {
  const seen = new Set<string>();
  for (let steps = 0, survived = false; !survived; steps += extent(3, 1)) {
    const upstream = await startVideoUpstream();
    let isDead = () => false;
    let own: VideoDeps | undefined;
    const relay = await openTestRelay({
      channels: [upstream.channel],
      wrapVideo: (whole) => {
        const wrapped = mortal(whole, steps);
        isDead = wrapped.isDead;
        own = wrapped.deps;
        return wrapped.deps;
      },
    });
    upstream.script.state = stepwise(succeeded());
    const body = JSON.stringify({
      model: "super-relay-2",
      content: [{ type: "text", text: "a cat" }],
    });
    await relay.send("/v1/contents/generations/tasks", { body });
    const first = createVideoWorker(own as VideoDeps, bounds);
    first.start();
    await expect
      .poll(async () => isDead() || (await statuses(relay))[0] === "succeeded", {
        timeout: 8000,
        interval: 5,
      })
      .toBe(true);
    survived = !isDead();
    void first.stop(0).catch(() => {});
    await endElsewhere(relay);
    seen.add(await verdict(relay, upstream));
    await relay.close();
    await upstream.close();
    if (steps > 60) throw new Error("it never survives");
  }
  expect([...seen].sort()).toEqual(["failed", "none", "succeeded"]);
}, 120_000);
