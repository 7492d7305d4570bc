/**
 * Tests that a process which dies at any step of a video leaves a task that another process ends,
 * once.
 */
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { bounds, endElsewhere, mortal, statuses, verdict } from "@/testing/relay/mortal";
import { openTestRelay } from "@/testing/relay/test-relay";
import { startVideoUpstream, stepwise, succeeded } from "@/testing/upstream/video-upstream";
import type { VideoDeps } from "./video-deps";
import { createVideoWorker } from "./video-worker";

test("killed at each step of hold, submit, poll, copy and settle, a task ends once", async () => {
  const seen = new Set<string>();
  for (let steps = 0, survived = false; !survived; steps += extent(3, 1)) {
    const upstream = await startVideoUpstream();
    const { isDead, video } = mortal(steps);
    let own: VideoDeps | undefined;
    const relay = await openTestRelay({
      channels: [upstream.channel],
      wrapVideo: (whole) => {
        own = video(whole);
        return own;
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
    expect(upstream.tasks.length).toBeLessThanOrEqual(1);
    seen.add(await verdict(relay));
    await relay.close();
    await upstream.close();
    if (steps > 60) throw new Error("it never survives");
  }
  expect([...seen].sort()).toEqual(["failed", "none", "succeeded"]);
}, 120_000);
