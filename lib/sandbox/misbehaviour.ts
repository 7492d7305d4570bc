/** The directives in double brackets with which a prompt makes the sandbox misbehave. */
export interface Misbehaviour {
  /** `[[fail]]`, `[[status:N]]`: answer with this HTTP status. */
  readonly status: number | null;
  /** `[[fail]]`: a video task is accepted, then fails. */
  readonly isFailing: boolean;
  /** `[[fail:audio]]`: a video task fails the review of its audio. */
  readonly isAudioRejected: boolean;
  /** `[[delay:SECONDS]]` */
  readonly delayMs: number;
  /** `[[queue:SECONDS]]`: a video task stays queued for so long and can be cancelled meanwhile. */
  readonly queuedMs: number | null;
  /** `[[hang]]`: never answer. */
  readonly isHanging: boolean;
  /** `[[truncate]]`: cut the connection in the middle of the answer. */
  readonly isTruncated: boolean;
  /** `[[no-usage]]` */
  readonly hasNoUsage: boolean;
  /** `[[garbage]]`: an answer that is not JSON. */
  readonly isGarbage: boolean;
  /** `[[tokens:N]]`: an answer of N tokens, unless the output cap is smaller. */
  readonly outputTokens: number | null;
  /** `[[usage:JSON]]`: report this as the output tokens, whatever was delivered. */
  readonly reportedTokens: unknown;
  /** `[[missing:N]]`: so many of several images are missing, the first ones. */
  readonly missingImages: number;
}

const DELAY_SECONDS_MAX = 600;
const OUTPUT_TOKENS_MAX = 1_000_000;

function parseJson(text: string | undefined): unknown {
  try {
    return text === undefined ? undefined : JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The prompt without its directives. A directive contains no bracket, so a prompt of many of them
 * is still read in one pass.
 */
export const withoutOrders = (prompt: string): string =>
  prompt.replace(/\[\[[^[\]]*\]\]/g, "").trim();

export function readMisbehaviour(prompt: string): Misbehaviour {
  const order = (pattern: RegExp) => pattern.exec(prompt)?.[1];
  const tokens = order(/\[\[tokens:(\d{1,9})\]\]/);
  const queued = order(/\[\[queue:(\d{1,4})\]\]/);
  const status = Number(order(/\[\[status:([2-5]\d\d)\]\]/) ?? 0);
  const isFailing = prompt.includes("[[fail]]");
  return {
    status: isFailing ? 500 : status || null,
    isFailing,
    isAudioRejected: prompt.includes("[[fail:audio]]"),
    delayMs:
      Math.min(Number(order(/\[\[delay:(\d{1,4}(?:\.\d{1,3})?)\]\]/) ?? 0), DELAY_SECONDS_MAX) *
      1000,
    queuedMs: queued === undefined ? null : Math.min(Number(queued), DELAY_SECONDS_MAX) * 1000,
    missingImages: Number(order(/\[\[missing:(\d{1,2})\]\]/) ?? 0),
    isHanging: prompt.includes("[[hang]]"),
    isTruncated: prompt.includes("[[truncate]]"),
    hasNoUsage: prompt.includes("[[no-usage]]"),
    isGarbage: prompt.includes("[[garbage]]"),
    outputTokens: tokens === undefined ? null : Math.min(Number(tokens), OUTPUT_TOKENS_MAX),
    reportedTokens: parseJson(order(/\[\[usage:([^\]]{1,200})\]\]/)),
  };
}
