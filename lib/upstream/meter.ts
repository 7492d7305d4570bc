/** Observes every call to an upstream: how many run, how long an answer takes, what fails. */
import type { SubmitResult } from "./media-provider";
import type {
  Channel,
  ChatStreamListener,
  ChunkSamples,
  ReportedUsage,
  TakeString,
  UpstreamFailure,
} from "./provider";
import type { Providers } from "./providers";

export interface Meter {
  /** A call has started. */
  begin(channel: Channel): void;
  /** A call has ended. */
  end(channel: Channel): void;
  /**
   * The result of an attempt. `latencyMs` is the time to the answer, or to the first piece of a
   * stream.
   */
  note(channel: Channel, failure: UpstreamFailure | null, latencyMs: number): void;
  /** What an answer used, where the upstream counts apart what it had cached. */
  count(channel: Channel, inputTokens: number, cachedTokens: number): void;
}

function countUsage(meter: Meter, channel: Channel, usage: ReportedUsage | null): void {
  if (usage?.cachedInputTokens === undefined) return;
  meter.count(channel, usage.inputTokens, usage.cachedInputTokens);
}

class MeteredStream implements ChatStreamListener {
  #latencyMs: number | null = null;
  readonly #startedAt = performance.now();

  constructor(
    readonly listener: ChatStreamListener,
    readonly meter: Meter,
    readonly channel: Channel,
  ) {}

  onChunk(chunk: Parameters<ChatStreamListener["onChunk"]>[0]): void {
    this.#latencyMs ??= performance.now() - this.#startedAt;
    this.listener.onChunk(chunk);
  }

  /** Repeats come after a chunk, so the time to the first piece is known. */
  openRepeats(samples: ChunkSamples): TakeString | null {
    return this.listener.openRepeats?.(samples) ?? null;
  }

  onBatchEnd(): void {
    this.listener.onBatchEnd();
  }

  onStall(): void {
    this.listener.onStall();
  }

  onCut(failure: UpstreamFailure): void {
    this.listener.onCut(failure);
  }

  onEnd(...[end, failure]: Parameters<ChatStreamListener["onEnd"]>): void {
    this.meter.end(this.channel);
    this.meter.note(this.channel, failure, this.#latencyMs ?? performance.now() - this.#startedAt);
    countUsage(this.meter, this.channel, end.usage);
    this.listener.onEnd(end, failure);
  }
}

type Answered =
  | { readonly isOk: true }
  | { readonly isOk: false; readonly failure: UpstreamFailure };

/**
 * Wraps the adapters so that `meter` sees every call. A poll of a video task counts only when the
 * upstream failed.
 */
export function meterProviders(providers: Providers, meter: Meter): Providers {
  async function watch<Result>(
    channel: Channel,
    call: () => Promise<Result>,
    failureIn: (result: Result) => UpstreamFailure | null,
  ) {
    const startedAt = performance.now();
    meter.begin(channel);
    try {
      const result = await call();
      meter.note(channel, failureIn(result), performance.now() - startedAt);
      return result;
    } finally {
      meter.end(channel);
    }
  }
  const failureOfAnswer = (answer: Answered) => (answer.isOk ? null : answer.failure);
  const { chat, video, image } = providers;
  return {
    ...providers,
    chat: {
      ...chat,
      async complete(channel, ...request) {
        const call = () => chat.complete(channel, ...request);
        const result = await watch(channel, call, failureOfAnswer);
        if (result.isOk && !result.large) countUsage(meter, channel, result.end.usage);
        return result;
      },
      stream(channel, body, listener, ...request) {
        meter.begin(channel);
        return chat.stream(channel, body, new MeteredStream(listener, meter, channel), ...request);
      },
    },
    image: {
      generate: (channel, order) =>
        watch(channel, () => image.generate(channel, order), failureOfAnswer),
    },
    video: {
      submit: (channel, order) =>
        watch<SubmitResult>(channel, () => video.submit(channel, order), failureOfAnswer),
      async read(channel, ref) {
        const startedAt = performance.now();
        const result = await video.read(channel, ref);
        if (
          result.isOk &&
          result.state.status === "failed" &&
          result.state.code === "upstream_failed"
        ) {
          const { code, internal } = result.state;
          const failure = {
            code,
            internal,
            mayHaveCost: false,
            isSurelyFree: false,
            isOperatorFault: false,
            param: null,
          };
          meter.note(channel, failure, performance.now() - startedAt);
        }
        return result;
      },
      cancel: video.cancel,
    },
  };
}
