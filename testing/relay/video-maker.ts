/** The video dependencies of test relays. Each call creates those of one more process. */
import type pg from "pg";
import { LengthUnknown } from "@/lib/media/movie-length";
import { advanceImageTask, type ImageMaker } from "@/lib/relay/image/image-task";
import { createTaskTable } from "@/lib/relay/order/task-table";
import { createTaskWaiters } from "@/lib/relay/video/task-waiters";
import { defaultVideoTimes, type VideoDeps, type VideoTimes } from "@/lib/relay/video/video-deps";
import type { Channel } from "@/lib/upstream/provider";

type Shared = Pick<
  VideoDeps,
  "ledger" | "priceBook" | "chooser" | "provider" | "running" | "log" | "changes"
> & { pool: pg.Pool } & ImageMaker;

export interface VideoOptions {
  readonly channels: readonly Channel[];
  readonly videoTimes?: Partial<VideoTimes>;
  /** Within which time a task that somebody asks about is polled. */
  readonly hurryMs?: number;
}

const keptNowhere: VideoDeps["results"] = {
  copyResult: async () => ({ mediaId: "media_test" }),
  copyThumbnail: async () => null,
  link: (file, expiresAt) =>
    `https://relay.test/v1/media/${file}?expires=${Math.floor(expiresAt.getTime() / 1000)}`,
  assertTakes() {},
  linkOf: (mediaId, expiresAt) =>
    `https://relay.test/v1/media/${mediaId}.mp4?expires=${Math.floor(expiresAt.getTime() / 1000)}`,
};

function videoDepsOf(
  { changes, pool, media, imageProvider, ...shared }: Shared,
  options: VideoOptions,
  given: Partial<VideoDeps>,
): VideoDeps {
  const table = createTaskTable(pool, `process_${crypto.randomUUID()}`);
  const deps: VideoDeps = {
    ...shared,
    table,
    results: keptNowhere,
    inputLengths: { secondsOf: () => Promise.reject(new LengthUnknown("nobody measures it")) },
    waiters: createTaskWaiters(changes, table, options.hurryMs),
    changes,
    channelById: (id) => options.channels.find((channel) => channel.id === id),
    isPassing: () => false,
    busy: new Set(),
    times: { ...defaultVideoTimes, pollSeconds: 0.05, ...options.videoTimes },
    advanceImage: (task) => advanceImageTask({ media, imageProvider }, deps, task),
    ...given,
  };
  return deps;
}

export function videoMaker(shared: Shared, options: VideoOptions) {
  const made: VideoDeps[] = [];
  return {
    videoDeps(given: Partial<VideoDeps> = {}): VideoDeps {
      const deps = videoDepsOf(shared, options, given);
      made.push(deps);
      return deps;
    },
    closeWaiters() {
      for (const { waiters } of made) waiters.close();
    },
  };
}
