/** Asks an upstream small questions, each bounded in time and length. */
import type { NoteTestCall } from "./attempt";
import { failureOf } from "./failure";
import { type Observed, Said, unanswered } from "./observed";
import { type CapName, requestText, streamed } from "./probe-requests";
import { StreamProbe } from "./probe-stream";
import type { Channel, ChatProvider, JsonObject } from "./provider";

const PROBE_MS_MAX = 20_000;
const PROBE_MS_MIN = 500;
/** All questions of one test together. */
const TEST_MS_MAX = 60_000;
const QUESTIONS_MAX = 10;

const late = failureOf("upstream_timeout", "no time is left for this question");
const tooLong = failureOf("upstream_bad_response", "an answer far longer than requested");

export interface Prober {
  /** Asks for a whole answer of at most `tokens`, by the cap's name. */
  plain(cap: CapName, tokens: number, members: JsonObject): Promise<Observed>;
  stream(cap: CapName, tokens: number, members: JsonObject): Promise<Observed>;
  /** The channel for one more question, with the time that it may take; null when none is left. */
  next(): Channel | null;
  /** How many questions are left. */
  left(): number;
}

async function plainAnswer(chat: ChatProvider, channel: Channel, body: string): Promise<Observed> {
  const startedAt = performance.now();
  const result = await chat.complete(channel, body);
  if (!result.isOk) return unanswered(result.failure);
  if (result.large) {
    result.large.read({ onText() {}, onStall() {}, onCut() {}, onEnd() {} }).stop(tooLong);
    return unanswered(tooLong);
  }
  const said = new Said();
  said.add(result.body.choices);
  const { text, hasCalls, calls, thinks, finishReason, runsOn } = said;
  return {
    ...unanswered(null),
    runsOn,
    end: result.end,
    text,
    hasCalls,
    calls,
    thinks,
    finishReason,
    tookMs: performance.now() - startedAt,
  };
}

function streamAnswer(chat: ChatProvider, channel: Channel, body: string): Promise<Observed> {
  return new Promise((resolve) => {
    const probe = new StreamProbe(resolve);
    const control = chat.stream(channel, body, probe);
    probe.stop = (failure) => control.stop(failure);
  });
}

/** How much a test may ask. */
interface Bounds {
  readonly questions: number;
  readonly ms: number;
}
const ofTest: Bounds = { questions: QUESTIONS_MAX, ms: TEST_MS_MAX };

/** `upstreamModel`: the upstream's name of the model. `note` is called for each request. */
export function createProber(
  chat: ChatProvider,
  channel: Channel,
  upstreamModel: string,
  note: NoteTestCall,
  { questions, ms: msMax }: Bounds = ofTest,
): Prober {
  const until = performance.now() + msMax;
  const ownMs = (channel.timeoutSeconds ?? PROBE_MS_MAX) * 1000;
  let asked = 0;
  function next(): Channel | null {
    if (asked++ >= questions) return null;
    const ms = Math.min(PROBE_MS_MAX, ownMs, until - performance.now());
    // What is known of the channel must not decide how it is asked.
    return ms < PROBE_MS_MIN ? null : { ...channel, profile: null, timeoutSeconds: ms / 1000 };
  }
  const ask =
    (answerOf: typeof plainAnswer, more: JsonObject): Prober["plain"] =>
    async (cap, tokens, members) => {
      const own = next();
      if (own === null) return unanswered(late);
      const body = requestText(upstreamModel, cap, tokens, { ...more, ...members });
      const startedAt = performance.now();
      const answer = await answerOf(chat, own, body);
      const { failure, end } = answer;
      note({ failure, upstreamRef: end.upstreamRef, tookMs: performance.now() - startedAt });
      return answer;
    };
  const left = () => Math.max(0, questions - asked);
  return { next, left, plain: ask(plainAnswer, {}), stream: ask(streamAnswer, streamed) };
}
