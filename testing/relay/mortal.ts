/** Processes that die at a chosen step of their work on a task, and what then becomes of it. */
import { expect } from "vitest";
import type { ImageMaker } from "@/lib/relay/image/image-task";
import type { VideoDeps } from "@/lib/relay/video/video-deps";
import { createVideoWorker } from "@/lib/relay/video/video-worker";
import { faultsOf } from "../ledger/faults-of";
import type { TestRelay } from "./test-relay";

/**
 * Lets the first `steps` steps run; every later one fails. Half of the steps die after their work,
 * not before.
 */
export function mortal(steps: number) {
  let left = steps;
  const dying = <T extends object>(target: T): T =>
    new Proxy(target, {
      get(object, name) {
        const member = Reflect.get(object, name);
        if (typeof member !== "function") return member;
        // Answers at once, and does nothing.
        if (name === "assertTakes") return member.bind(object);
        return async (...given: unknown[]) => {
          // A search for work that finds none does not count as a step, nor does asking when there is any.
          if (name === "secondsUntilDue" && left > 0) return member.apply(object, given);
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
  return {
    isDead: () => left < 0,
    video(deps: VideoDeps): VideoDeps {
      const { ledger, table, provider, results } = deps;
      const dead = {
        ledger: dying(ledger),
        table: dying(table),
        provider: dying(provider),
        results: dying(results),
      };
      return { ...deps, ...dead };
    },
    maker: ({ imageProvider, media }: ImageMaker): ImageMaker => ({
      imageProvider: dying(imageProvider),
      media: { ...media, keep: dying(media).keep, copy: dying(media).copy },
    }),
  };
}

const forgetLeases = (relay: TestRelay) =>
  relay.pool.query(
    "update video_task set lease_until = now() - interval '1 second' where lease_until is not null",
  );
export const bounds = { parallelMax: 10, claimMax: 10, idleMs: 5 };
export const statuses = async (relay: TestRelay): Promise<string[]> =>
  (await relay.pool.query("select status from video_task")).rows.map(({ status }) => status);

/** Has another process end what the dead one left. */
export async function endElsewhere(relay: TestRelay): Promise<void> {
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

/** How the one task ended, if there is one, and that its points agree. */
export async function verdict(relay: TestRelay): Promise<string> {
  const ends = await relay.ends();
  expect(await faultsOf(relay.pool)).toEqual([]);
  expect(ends.length).toBeLessThanOrEqual(1);
  expect((await relay.balance()).held).toBe(0n);
  const [end] = ends;
  const [status] = await statuses(relay);
  expect(status).toBe(
    end === undefined ? undefined : end.outcome === "settled" ? "succeeded" : "failed",
  );
  return status ?? "none";
}
