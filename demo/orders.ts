/** What can be ordered in the demo. */
import type { ImageRole, LossCause } from "@/lib/contract/states";
import type { VideoSpec } from "@/lib/upstream/media-provider";
import type { Habit, Person } from "./people";
import type { Random } from "./random";

/** The demo's channels, by the name under which its orders go to them. */
type ChannelName = "harbor" | "meridian" | "northlight" | "reserve";

interface Order {
  readonly at: number;
  readonly person: Person;
  /** Null for the playground. */
  readonly key: string | null;
  /** Catalogue identifier. */
  readonly model: string;
  readonly channel: ChannelName;
  readonly durationMs: number;
  /** Why the hold was released; null for an order that was charged. */
  readonly failure: string | null;
  readonly loss: LossCause | null;
}

export interface TextOrder extends Order {
  readonly family: "text";
  readonly isStream: boolean;
  readonly isAbandoned: boolean;
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly capTokens: number;
  readonly firstByteMs: number;
}

interface ResultOrder extends Order {
  /** True for results that are young enough to have a file. */
  readonly hasFile: boolean;
}

export interface ImageOrder extends ResultOrder {
  readonly family: "image";
  readonly prompt: string;
  readonly width: number;
  readonly height: number;
  readonly ratio: string | null;
}

export interface VideoOrder extends ResultOrder {
  readonly family: "video";
  readonly spec: VideoSpec & {
    readonly pictures: readonly { role: ImageRole; url: string | null }[];
  };
  /** Until the upstream starts; null while it has not. */
  readonly queuedMs: number | null;
  /** `open`: it has not ended when the history ends. */
  readonly ending: "open" | "succeeded" | "failed" | "cancelled" | "expired";
  readonly callbackUrl: string | null;
  /** How many polls in a row have failed. */
  readonly pollFailures: number;
}

export type AnyOrder = TextOrder | ImageOrder | VideoOrder;

export interface PlanOptions {
  readonly seed: string;
  /** 1 makes about 30,000 requests and 700 videos and images. */
  readonly scale: number;
  /** The last moment of the history, in milliseconds. */
  readonly end: number;
}

/** An order of a habit at a time. */
export interface HabitualOrder {
  readonly at: number;
  readonly end: number;
  readonly person: Person;
  readonly habit: Habit;
  readonly random: Random;
}
