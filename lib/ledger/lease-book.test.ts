import fc from "fast-check";
import { expect, test } from "vitest";
import { extent } from "@/testing/extent/extent";
import { type Fault, LeaseModel } from "@/testing/ledger/lease-model";
import { check, checkEnd } from "@/testing/ledger/lease-rules";
import { World } from "@/testing/ledger/lease-world";
import type { LeaseAct, LeasedEnd } from "./lease-acts";
import { LeaseBook } from "./lease-book";

const fates = ["answered", "answered", "answered", "unanswered", "lost", "doubled"] as const;
const often = ["open", "open", "open", "end", "end", "send", "send", "tick", "tick"] as const;
const sometimes = ["flush", "late", "wait", "wait", "beat", "recall"] as const;
const seldom = ["crash", "lose", "expire", "sweep", "giveUp", "find", "spool"] as const;
const chosen = <Kind extends string>(...kinds: readonly Kind[]) =>
  fc.tuple(fc.constantFrom(...kinds), fc.constantFrom(0, 0, 0, 1, 2), fc.nat(11), fc.nat(12));
const step = fc.oneof(
  { weight: 24, arbitrary: chosen(...often) },
  { weight: 7, arbitrary: chosen(...sometimes) },
  { weight: 2, arbitrary: chosen(...seldom, "limit", "take") },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function rare(world: World, [kind, who, a]: Step): void {
  const one = world.alive(who);
  const account = world.accounts[a % 2] as string;
  if (kind === "wait") world.pass([30, 600, 1100, 6000][a % 4] as number);
  else if (kind === "beat") world.beat(one);
  else if (kind === "crash") world.crash(one, false);
  else if (kind === "lose") world.crash(one, true);
  else if (kind === "expire") world.expire(one);
  else if (kind === "sweep") world.sweep(false);
  else if (kind === "giveUp") world.sweep(true);
  else if (kind === "find") world.find();
  else if (kind === "spool") world.spoolEnds(one);
  else if (kind === "recall") world.recall(account);
  else if (kind === "limit") world.limit(account, `key${a % 3}`);
  // An operator takes away what is there.
  else world.database.wallet(account).credits -= world.database.available(account);
}

function play(world: World, one: Step): void {
  const [kind, who, a, b] = one;
  const at = world.alive(who);
  if (kind === "open") {
    const account = world.accounts[a % 6 === 0 ? 1 : 0] as string;
    for (let i = 0; i < 1 + (b % 5); i++) world.open(at, account, `key${a % 4}`, BigInt(1 + b));
  } else if (kind === "end")
    for (let i = 0; i <= a % 4; i++) world.end(at, a, b % 4 !== 0, BigInt(b));
  else if (kind === "send") for (let i = 0; i <= a % 4; i++) world.send(at, a, fateOf(b));
  else if (kind === "flush") world.flush(at);
  else if (kind === "tick") world.tick(at);
  else if (kind === "late") world.arriveLate(a);
  else rare(world, one);
}
const fateOf = (b: number) => fates[b % fates.length] ?? "answered";

const RUNS_MAX = 4000;
/** On a quiet machine all runs take a third of it. */
const RUN_MS_MAX = 25_000;
const TEST_MS_MAX = 60_000;

const schedule = fc.record({
  credits: fc.constantFrom(300n, 800n, 1500n, 20_000n, 20_000n),
  steps: fc.array(step, { minLength: 30, maxLength: 160, size: "max" }),
});

interface Seen {
  runs: number;
  memory: number;
  written: number;
  closed: number;
}

/** Throws at the first schedule that breaks a rule; with a fault it is not made shorter. */
function run(runs: number, fault: Fault | null, newBook: () => LeaseBook, isMeant = false): Seen {
  const seen = { runs: 0, memory: 0, written: 0, closed: 0 };
  const property = fc.property(schedule, ({ credits, steps }) => {
    seen.runs++;
    const world = new World(new LeaseModel(fault), newBook, credits);
    for (const one of steps) {
      play(world, one);
      check(world);
    }
    const logged = world.processes.flatMap(({ log }) => [...log.keys()]);
    if (logged.length > 0) seen.memory++;
    if (logged.some((id) => world.database.late.has(id))) seen.written++;
    if (world.recalled > 0 && logged.length > 0) seen.closed++;
    checkEnd(world);
  });
  fc.assert(property, {
    numRuns: runs,
    seed: 20261125,
    endOnFailure: isMeant,
    interruptAfterTimeLimit: RUN_MS_MAX,
  });
  return seen;
}

test(
  "points are promised once, whatever is lost, late, doubled or killed, over many schedules",
  () => {
    const seen = run(extent(1000, RUNS_MAX), null, () => new LeaseBook());
    // The schedules reach what they are about.
    expect(seen.runs).toBeGreaterThan(500);
    expect(seen.memory / seen.runs).toBeGreaterThan(0.2);
    expect(seen.written / seen.runs).toBeGreaterThan(0.08);
    expect(seen.closed / seen.runs).toBeGreaterThan(0.1);
  },
  TEST_MS_MAX,
);

const faults: [Fault, RegExp][] = [
  ["acts_without_numbers", /may promise|below zero/],
  ["take_unbounded", /below zero/],
  ["take_by_the_dead", /a lease is left/],
  ["whole_twice", /charged twice|do not add up/],
  ["late_beside_lease", /below zero/],
  ["node_keeps_lease", /a lease is left/],
  ["charge_unpaid", /below zero/],
];
test.each(faults)(
  "the schedules find a database with the fault %s",
  (fault, broken) => {
    expect(causeOf(() => run(RUNS_MAX, fault, () => new LeaseBook(), true))).toMatch(broken);
  },
  TEST_MS_MAX,
);

/** Books with one rule left out. */
class GivesTooLate extends LeaseBook {
  override acts(now: number): LeaseAct[] {
    const before = new Map(super.acts(now).map((act) => [act, 0n] as const));
    return [...before.keys()].map((act) =>
      act.kind === "give" ? { ...act, amount: act.amount + 1n } : act,
    );
  }
}
class ForgetsTheSpool extends LeaseBook {
  override spooled(id: string): void {
    super.spooled(id, false);
  }
}
class EndsTwice extends LeaseBook {
  override written(id: string, isThere: boolean): void {
    super.written(id, isThere);
    super.ended(id, "opened", 0n);
  }
}
class BelievesAnswers extends LeaseBook {
  override ended(id: string, how: LeasedEnd, charged: bigint): void {
    super.ended(id, how === "opened" ? "leased" : how, charged);
  }
}
class NeverCompares extends LeaseBook {
  override compare(): LeaseAct[] {
    return [];
  }
}
test.each([
  ["gives more back than it took off itself", GivesTooLate],
  ["closes a lease while ends are on disk", ForgetsTheSpool],
  ["ends a written hold twice", EndsTwice],
  ["takes a charge of a written hold for one of its lease", BelievesAnswers],
  ["never compares itself with the database", NeverCompares],
] as const)(
  "the schedules find a book that %s",
  (_what, Book) => {
    expect(causeOf(() => run(RUNS_MAX, null, () => new Book(), true))).toMatch(
      /promised|below zero|stay leased|is charged/,
    );
  },
  TEST_MS_MAX,
);

function causeOf(work: () => void): string {
  try {
    work();
  } catch (error) {
    return error instanceof Error && error.cause instanceof Error ? error.cause.message : "";
  }
  return "nothing was found";
}
