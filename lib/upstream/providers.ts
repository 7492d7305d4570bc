/** All that upstreams are asked for, whichever protocol a channel speaks. */
import type { ImageProvider, VideoProvider } from "./media-provider";
import type { Channel, ChatProvider, UpstreamFailure } from "./provider";

export interface Providers {
  readonly chat: ChatProvider;
  readonly video: VideoProvider;
  readonly image: ImageProvider;
  /** Whether the address and the credential hold, found out without ordering anything; null: they do. Never rejects. */
  reach(channel: Channel): Promise<UpstreamFailure | null>;
  /** Ends every call that still runs, as failed. */
  abortAll(): void;
  close(): Promise<void>;
}
