/** The dependencies of the video state machine. */
import type { Changes } from "../../db/changes";
import type { RunningWork } from "../../limits/running-work";
import type { InputLengths } from "../../media/input-length";
import type { MediaStore } from "../../media/media-store";
import type { VideoProvider, VideoSpec } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import type { Advance, TaskDeps, TaskTimes } from "../order/task-deps";
import type { ImageTaskRow } from "../order/task-row";
import type { TaskWaiters } from "./task-waiters";

/** The store of finished results. A file may be copied twice, and a link is the same for the same arguments. */
export type ResultStore = Pick<
  MediaStore,
  "assertTakes" | "copyResult" | "copyThumbnail" | "linkOf" | "link"
>;

export interface VideoTimes extends TaskTimes {
  /** How long a single call waits. */
  readonly waitMs: number;
}

/** How long a task may take: longer where its order gives the upstream longer. */
export const lifeSecondsOf = ({ lifeSeconds }: VideoTimes, { settings }: VideoSpec) =>
  Math.max(lifeSeconds, settings?.execution_expires_after ?? 0);

export const defaultVideoTimes: VideoTimes = {
  pollSeconds: 2.5,
  lifeSeconds: 48 * 3600,
  waitMs: 290_000,
};

export interface VideoDeps extends TaskDeps {
  readonly provider: VideoProvider;
  readonly results: ResultStore;
  /** Reads how long the videos of an order are. */
  readonly inputLengths: Pick<InputLengths, "secondsOf">;
  readonly waiters: TaskWaiters;
  /** Wakes the worker. */
  readonly changes: Changes;
  /** A channel by its id, including disabled ones. */
  readonly channelById: (id: string) => Channel | undefined;
  readonly running: RunningWork;
  readonly times: VideoTimes;
  /** Takes the task of an image one step: the worker's tasks are of both families. */
  readonly advanceImage: (task: ImageTaskRow) => Promise<Advance>;
}
