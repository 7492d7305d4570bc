/** What an attack is, what it is given, and what it tells. */
import type { Answer, Exchange, Target } from "./wire";

/** Who an attacker is: everything a stranger with one free account has, and an operator's session for the fuzz of those pages. */
export interface Means {
  readonly target: Target;
  /** The API key of the attacker. */
  readonly apiKey: string;
  /** The Origin that the pages' API accepts. */
  readonly origin: string;
  /** `Cookie` headers of sessions; empty: that part of an attack is left out. */
  readonly sessions: readonly string[];
  readonly operatorSession: string | null;
  /** The attacker's own address to sign in with; null: unknown. */
  readonly email: string | null;
  /** Of the operator's account; null: unknown. */
  readonly password: string | null;
  /** Small counts, for a test run of seconds. */
  readonly isBrief: boolean;
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
  /** By status, or by how a connection ended without an answer. */
  readonly answers: Readonly<Record<string, number>>;
  /** What no request may cause, each with what caused it. */
  readonly faults: readonly string[];
  readonly faultCount: number;
  readonly steps: readonly Step[];
}

const FAULTS_KEPT = 40;
const STEPS_KEPT = 5000;

/** Why an answer is a fault of the server; null: it is none. 503 is allowed where it tells whether to come again. */
export function faultOf({ status, headers, body }: Answer): string | null {
  if (status === 0) return "an answer that is not HTTP";
  if (status < 500) return null;
  const isTold = headers.has("retry-after") || headers.has("x-should-retry");
  if (status === 503 && isTold) return null;
  return `${status}${isTold ? "" : " without Retry-After or x-should-retry"}: ${body.slice(0, 160)}`;
}

/** Counts what an attack sent and got. */
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

  /** Counts an answer, and notes it as a fault where it is one. `reproduction`: what was sent. */
  judge(answer: Answer, reproduction: string): void {
    this.count(answer.status);
    const fault = faultOf(answer);
    if (fault !== null) this.fault(`${reproduction} → ${fault}`);
  }

  /** Counts the end of one exchange that wanted one answer. `mayClose`: ending the connection is an answer too. */
  settle({ answers, ending, milliseconds }: Exchange, reproduction: string, { mayClose = false } = {}): void {
    for (const answer of answers) this.judge(answer, reproduction);
    if (answers.length > 0) return;
    this.count(ending);
    if (ending === "silent") this.fault(`${reproduction} → nothing for ${Math.round(milliseconds / 1000)} s`);
    else if (!mayClose) this.fault(`${reproduction} → the connection ended unanswered`);
  }

  /** Runs one part of an attack and remembers when, so that a block of the loop can be put down to it. */
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
    return { sent, faultCount, steps, answers: Object.fromEntries(this.answers), faults: [...this.faults] };
  }
}
