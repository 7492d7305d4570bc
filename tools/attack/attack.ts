/** The types of an attack: what it is given, and what it reports. */
import type { Answer, Exchange, Target } from "./wire";

/**
 * What an attacker has: a stranger's free account and, for the fuzzing of the operators' pages, an
 * operator's session.
 */
export interface Means {
  readonly target: Target;
  readonly apiKey: string;
  /** The Origin that the pages' API accepts. */
  readonly origin: string;
  /** `Cookie` headers of sessions; when there are none, that part of an attack is left out. */
  readonly sessions: readonly string[];
  readonly operatorSession: string | null;
  /** The email with which the attacker signs in; null when unknown. */
  readonly email: string | null;
  /** The password of the operator's account; null when unknown. */
  readonly password: string | null;
  /** Where the server looks up names below `.rebind.test`; null when it does not. */
  readonly resolverPort: number | null;
  /** What a shop has beside; null for an instance that was not started here. */
  readonly shop: {
    /** The session of the account whose old requests are only in files, and those requests. */
    readonly archivist: string;
    readonly archived: readonly string[];
    /** What the attacker's own referral link ends with. */
    readonly referralCode: string;
  } | null;
  /** True for small numbers, in a test run of seconds. */
  readonly isBrief: boolean;
  /** How many serve: the pages' bounds are of each. */
  readonly processes: number;
}

export interface Attack {
  readonly name: string;
  /** One sentence for the report. */
  readonly what: string;
  run(means: Means, tally: Tally): Promise<void>;
}

export interface Step {
  readonly label: string;
  /** Epoch milliseconds. */
  readonly from: number;
  readonly to: number;
}

export interface Outcome {
  readonly sent: number;
  /** Counted by status, or by how a connection ended without an answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** Faults of the server, each with the request that caused it. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  readonly steps: readonly Step[];
}

/** The outcome of two runs as one. */
export function joinOutcomes(one: Outcome, other: Outcome): Outcome {
  const names = new Set([...Object.keys(one.answers), ...Object.keys(other.answers)]);
  return {
    sent: one.sent + other.sent,
    answers: Object.fromEntries(
      [...names].map((name) => [name, (one.answers[name] ?? 0) + (other.answers[name] ?? 0)]),
    ),
    faults: [...one.faults, ...other.faults].slice(0, FAULTS_KEPT),
    faultCount: one.faultCount + other.faultCount,
    steps: [...one.steps, ...other.steps].slice(-STEPS_KEPT),
  };
}

const FAULTS_KEPT = 40;
const STEPS_KEPT = 5000;

/**
 * Why an answer is a fault of the server; null when it is none. 503 is allowed if it says whether
 * to try again.
 */
export function faultOf({ status, headers, body }: Answer): string | null {
  if (status === 0) return "an answer that is not HTTP";
  if (status < 500) return null;
  const isTold = headers.has("retry-after") || headers.has("x-should-retry");
  if (status === 503 && isTold) return null;
  return `${status}${isTold ? "" : " without Retry-After or x-should-retry"}: ${body.slice(0, 160)}`;
}

/** Counts what an attack sent and received. */
export class Tally {
  private sent = 0;
  private readonly answers = new Map<string, number>();
  private readonly faults = new Set<string>();
  private faultCount = 0;
  private readonly steps: Step[] = [];

  sending(count = 1): void {
    this.sent += count;
  }

  count(what: string | number): void {
    const name = String(what);
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1);
  }

  fault(text: string): void {
    this.faultCount++;
    if (this.faults.size < FAULTS_KEPT) this.faults.add(text);
  }

  /** Counts an answer, and records it if it is a fault. `reproduction`: what was sent. */
  judge(answer: Answer, reproduction: string): void {
    this.count(answer.status);
    const fault = faultOf(answer);
    if (fault !== null) this.fault(`${reproduction} → ${fault}`);
  }

  /**
   * Counts the end of one exchange that expected one answer. `mayClose`: closing the connection
   * also counts as an answer.
   */
  settle(
    { answers, ending, milliseconds }: Exchange,
    reproduction: string,
    { mayClose = false } = {},
  ): void {
    for (const answer of answers) this.judge(answer, reproduction);
    if (answers.length > 0) return;
    this.count(ending);
    if (ending === "silent")
      this.fault(`${reproduction} → nothing for ${Math.round(milliseconds / 1000)} s`);
    else if (!mayClose) this.fault(`${reproduction} → the connection ended unanswered`);
  }

  /**
   * Runs one part of an attack and records its time, so that a block of the event loop can be
   * attributed to it.
   */
  async step<Result>(label: string, work: () => Promise<Result>): Promise<Result> {
    const from = Date.now();
    try {
      return await work();
    } finally {
      if (this.steps.length < STEPS_KEPT) this.steps.push({ label, from, to: Date.now() });
    }
  }

  outcome(): Outcome {
    const { sent, faultCount, steps } = this;
    return {
      sent,
      faultCount,
      steps,
      answers: Object.fromEntries(this.answers),
      faults: [...this.faults],
    };
  }
}
