/** What is known while the history is written, in the order of time. */
import { MICROPOINTS_PER_POINT } from "@/lib/money/points";
import type { startTestStripe } from "@/testing/topup/stripe";
import type { OpenDemo } from "./open-demo";
import { OPERATOR, SECOND_OPERATOR } from "./people";
import { writeRequests } from "./requests";
import { type Step, Timeline } from "./timeline";
import { HOUR, MINUTE, momentOf } from "./times";

interface WrittenPerson {
  readonly accountId: string;
  readonly userId: string;
}

interface Given {
  readonly demo: OpenDemo;
  readonly end: number;
  readonly payments: Awaited<ReturnType<typeof startTestStripe>>;
  /** Where the demo's channels are answered while it is served. */
  readonly upstreamOrigin: string;
}

export class Writing {
  readonly timeline = new Timeline();
  readonly people = new Map<string, WrittenPerson>();
  /** Key ids by email and name; those of channels and packages by their names. */
  readonly keys = new Map<string, string>();
  readonly channels = new Map<string, string>();
  readonly packages = new Map<string, string>();
  /** Invitation codes by the email address of the person who used them. */
  readonly invites = new Map<string, string>();
  /** How many requests are written. */
  requests = 0;

  constructor(readonly given: Given) {}

  get demo(): OpenDemo {
    return this.given.demo;
  }

  /** Adds what happens at an hour (UTC) of a day before the end's day. */
  at(daysAgo: number, hour: number, run: Step["run"]): void {
    this.timeline.add(momentOf(this.given.end, daysAgo, hour), run);
  }

  /** Adds what happens so many hours before the end. */
  ago(hours: number, run: Step["run"]): void {
    this.timeline.add(this.given.end - hours * HOUR, run);
  }

  /** Adds what happens so many minutes after the present step. */
  later(minutes: number, run: Step["run"]): void {
    this.timeline.add(this.demo.clock.now() + minutes * MINUTE, run);
  }

  person(email: string): WrittenPerson {
    const found = this.people.get(email);
    if (found === undefined) throw new Error(`${email} has no account yet`);
    return found;
  }

  get operator(): string {
    return this.person(OPERATOR).userId;
  }

  get secondOperator(): string {
    return this.person(SECOND_OPERATOR).userId;
  }

  /** Writes the requests that are over now, or all that there will be. */
  async writeRequests(isLast = false): Promise<void> {
    const { end, demo } = this.given;
    const time = isLast ? end : demo.clock.now();
    this.requests += await writeRequests(demo, { time, end });
  }
}

export const points = (amount: number) => BigInt(Math.round(amount)) * MICROPOINTS_PER_POINT;
