/** The dependencies of the video state machine. */
import type { Changes } from "../../db/changes";
import type { Log } from "../../http/serve";
import type { TaskLedger } from "../../ledger/core/task-verbs";
import type { RunningWork } from "../../limits/running-work";
import type { ResultOrigin } from "../../media/fetch-result";
import type { PriceBook } from "../../price-book/price-version";
import type { Chooser } from "../../upstream/choose";
import type { VideoProvider, VideoSpec } from "../../upstream/media-provider";
import type { Channel } from "../../upstream/provider";
import type { TaskWaiters } from "./task-waiters";
import type { TaskTable } from "./video-table";

/** The store of finished results. */
export interface ResultStore {
  /**
   * Copies the file at `url`; when it resolves, the copy is durable. Copying twice does no harm.
   * Rejects when the file cannot be fetched now; with `isFinal` when it never can.
   */
  copyResult(
    channel: ResultOrigin,
    url: string,
    accountId: string,
  ): Promise<{ readonly mediaId: string }>;
  /** Copies a picture of a video; null when there is none to be had soon. Never rejects. */
  copyThumbnail(channel: ResultOrigin, url: string, accountId: string): Promise<string | null>;
  /** The client's link; the same for the same arguments. */
  linkOf(mediaId: string, expiresAt: Date): string;
  /** The same for a file of another kind, by its name. */
  link(file: string, expiresAt: Date): string;
}

export interface VideoTimes {
  readonly pollSeconds: number;
  /** A task that no upstream has finished after this time is given up. */
  readonly lifeSeconds: number;
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

export interface VideoDeps {
  readonly ledger: TaskLedger;
  readonly priceBook: PriceBook;
  readonly chooser: Chooser;
  readonly provider: VideoProvider;
  readonly table: TaskTable;
  readonly results: ResultStore;
  readonly waiters: TaskWaiters;
  /** Wakes the worker. */
  readonly changes: Changes;
  /** A channel by its id, including disabled ones. */
  readonly channelById: (id: string) => Channel | undefined;
  /** True for a channel whose address belongs to this process and changes with it. */
  readonly isPassing: (channel: Channel) => boolean;
  /** Tasks that this process works on now; they are not claimed meanwhile. */
  readonly busy: Set<string>;
  readonly running: RunningWork;
  readonly log: Log;
  readonly times: VideoTimes;
}
