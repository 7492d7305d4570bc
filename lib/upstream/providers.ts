/** All operations of an upstream, for whichever protocol a channel uses. */
import type { BalanceRead } from "./balance";
import type { ImageProvider, VideoProvider } from "./media-provider";
import type { PriceListPlace, PriceListRead } from "./price-list";
import type { Channel, ChatProvider, UpstreamFailure } from "./provider";

export interface Providers {
  readonly chat: ChatProvider;
  readonly video: VideoProvider;
  readonly image: ImageProvider;
  /**
   * Checks the address and the credential without ordering anything; null when both work. Never
   * rejects.
   */
  reach(channel: Channel): Promise<UpstreamFailure | null>;
  /** Whether the upstream lists its models; undefined when that is not known. Never rejects. */
  listsModels(channel: Channel): Promise<boolean | undefined>;
  /** The entries of the upstream's own list of models; null when it gives none. Never rejects. */
  listModels(channel: Channel): Promise<readonly unknown[] | null>;
  /** What is left of our own account at the upstream. Never rejects. */
  balance(channel: Channel): Promise<BalanceRead>;
  /** What the upstream's price list asks. Never rejects. */
  priceList(channel: Channel, place: PriceListPlace): Promise<PriceListRead>;
  /** Ends every running call as failed. */
  abortAll(): void;
  close(): Promise<void>;
}
