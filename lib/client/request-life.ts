/** The life of a request as the rows of a waterfall, from its hold to its charge. */
import type { RequestView } from "../contract/usage";

type LifeKind =
  | "held"
  | "failed"
  | "submitted"
  | "upstream"
  | "firstToken"
  | "stored"
  | "settled"
  | "released"
  | "refunded";

export interface LifeRow {
  readonly id: string;
  readonly kind: LifeKind;
  /** Milliseconds since the hold. Equal for what happens at once. */
  readonly fromMs: number;
  readonly toMs: number;
  /** True while it goes on. */
  readonly isOpen?: boolean;
  /** Of failed attempts: the first is 1. */
  readonly number?: number;
  /** The attempt that failed, or the one that answered where it is known. */
  readonly attempt?: RequestView["attempts"][number];
  readonly refund?: RequestView["refunds"][number];
}

export interface RequestLife {
  readonly rows: readonly LifeRow[];
  /** From the hold to the end, or until now. Refunds come later. */
  readonly totalMs: number;
}

type Life = Pick<
  RequestView,
  "entry" | "attempts" | "refunds" | "stages" | "firstByteMs" | "isStream"
>;

const once = (kind: LifeKind, atMs: number): LifeRow => ({
  id: kind,
  kind,
  fromMs: atMs,
  toMs: atMs,
});

/** The call that answered, or goes on; nothing where the last failure ended the request. */
function answerRows(life: Life, fromMs: number, endMs: number, at: (moment: string) => number) {
  const { entry, attempts, stages, firstByteMs, isStream } = life;
  const isOpen = entry.request?.state === "held";
  const answered = attempts.findLast(({ code }) => code === null);
  const last = attempts.findLast(({ code }) => code !== null);
  if (!isOpen && last !== undefined && last.code === entry.reason && answered === undefined)
    return [];
  const submittedMs = stages?.submitted ? at(stages.submitted) : null;
  const storedMs = stages?.stored ? at(stages.stored) : null;
  const rows: LifeRow[] = [];
  if (submittedMs !== null) rows.push(once("submitted", submittedMs));
  rows.push({
    id: "upstream",
    kind: "upstream",
    fromMs: submittedMs ?? fromMs,
    toMs: Math.max(storedMs ?? endMs, submittedMs ?? fromMs),
    isOpen,
    ...(answered && { attempt: answered }),
  });
  if (isStream && firstByteMs !== null)
    rows.push(once("firstToken", Math.min(fromMs + firstByteMs, endMs)));
  if (storedMs !== null) rows.push(once("stored", storedMs));
  return rows;
}

/** `nowMs`: the time until which a running request is drawn. */
export function lifeOf(life: Life, nowMs: number): RequestLife {
  const { entry, attempts, refunds } = life;
  const startMs = Date.parse(entry.at);
  const state = entry.request?.state ?? "settled";
  const endedAt = entry.request?.endedAt ?? null;
  const totalMs = Math.max(1, (endedAt === null ? nowMs : Date.parse(endedAt)) - startMs);
  const at = (moment: string) => Math.min(Math.max(0, Date.parse(moment) - startMs), totalMs);
  const failed = attempts
    .filter(({ code }) => code !== null)
    .map((attempt, index): LifeRow => {
      const toMs = at(attempt.endedAt);
      const fromMs = Math.max(0, toMs - attempt.tookMs);
      return { id: attempt.id, kind: "failed", fromMs, toMs, number: index + 1, attempt };
    });
  const answers = answerRows(life, failed.at(-1)?.toMs ?? 0, totalMs, at);
  const refunded = refunds.map((refund): LifeRow => {
    const fromMs = Date.parse(refund.at) - startMs;
    return { id: refund.id, kind: "refunded", fromMs, toMs: fromMs, refund };
  });
  const ends = state === "held" ? [] : [once(state, totalMs)];
  return { rows: [once("held", 0), ...failed, ...answers, ...ends, ...refunded], totalMs };
}
