/**
 * The protocol of the points leases as a model, under random schedules of requests, lost, doubled
 * and late statements, kills, lost machines, suspended processes and operators.
 */
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Mutation } from "@/testing/ledger/lease-model/database";
import { breaches, leftOvers } from "@/testing/ledger/lease-model/invariants";
import { type Step, World, weightedKinds } from "@/testing/ledger/lease-model/world";

const runs = Number(process.env.RELAY_MODEL_RUNS ?? 3000);
const choice = fc.nat(1000);
const kind = fc.oneof(
  ...weightedKinds.map(({ value, weight }) => ({ arbitrary: fc.constant(value), weight })),
);
const schedule: fc.Arbitrary<Step[]> = fc.array(
  fc.record({ kind, a: choice, b: choice, c: choice }),
  { minLength: 20, maxLength: 300, size: "max" },
);

/** How often the schedules came to each way of an end. */
const ways = { lease: 0, open: 0, lost: 0 };

/** The first breach of a schedule; empty when every invariant held throughout. */
function run(steps: readonly Step[], mutation: Mutation | null): string[] {
  const world = new World(mutation);
  for (const step of steps) {
    world.step(step);
    const found = breaches(world);
    if (found.length > 0) return [`after ${step.kind}: ${found.join("; ")}`];
  }
  world.settleDown();
  for (const { way } of world.database.settlements.values()) ways[way]++;
  return leftOvers(world);
}

test(`${runs} schedules: nothing below zero, nothing charged twice, no lease and no point left over`, () => {
  fc.assert(
    fc.property(schedule, (steps) => {
      expect(run(steps, null)).toEqual([]);
    }),
    { numRuns: runs },
  );
  // Schedules that never lease, write down or lose a lease would prove nothing.
  for (const count of Object.values(ways)) expect(count).toBeGreaterThan(runs / 10);
});

const mutations: readonly Mutation[] = [
  "charge-keeps-lease",
  "close-with-holds",
  "end-without-fence",
  "hold-beyond-lease",
  "late-lease-of-dead-node",
  "return-before-replay",
  "spill-keeps-hold",
  "unknown-open-forgotten",
];

test.each(mutations)("the invariants find the fault %s", (mutation) => {
  const { failed } = fc.check(
    fc.property(schedule, (steps) => run(steps, mutation).length === 0),
    { numRuns: 3000, endOnFailure: true },
  );
  expect(failed).toBe(true);
});
