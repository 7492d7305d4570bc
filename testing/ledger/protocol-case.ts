/** What holds for a verb of the ledger after a fault, whichever verb and whichever fault. */
import { isDeepStrictEqual } from "node:util";
import { expect } from "vitest";
import { pause } from "@/lib/timing/pause";
import type { DatabaseProxy } from "./database-proxy";
import type { Prepared, Scene, Verb } from "./ledger-verbs";
import { type Fault, faults, type Heal } from "./message-faults";

/**
 * Verbs with faults, by a name of both: 1 is the whole product, and 5 each verb with every fifth
 * fault, beginning with another one for each verb.
 */
export const casesOf = (
  verbs: readonly Verb[],
  every: number,
): (readonly [string, { readonly verb: Verb; readonly inject: Fault }])[] =>
  verbs
    .flatMap((verb, first) =>
      Object.entries(faults).flatMap(([fault, inject], at) =>
        (first + at) % every === 0 ? [{ verb, fault, inject }] : [],
      ),
    )
    .map(({ verb, fault, inject }) => [`${verb.name} ${fault}`, { verb, inject }] as const);

const calm = (proxy: DatabaseProxy): DatabaseProxy =>
  Object.assign(proxy, {
    cutsRequest: () => false,
    cutsAnswer: () => false,
    dropsRequest: () => false,
    dropsAnswer: () => false,
    doublesRequest: () => false,
    delaysRequest: () => null,
    delaysAnswer: () => null,
    repeatsAnswer: () => null,
  });

/** `expect.poll` cannot be used by cases that run at the same time. */
async function expectSoon(
  read: () => Promise<unknown>,
  ...allowed: readonly unknown[]
): Promise<void> {
  for (const until = performance.now() + 30_000; performance.now() < until; await pause(20)) {
    const now = await read();
    if (allowed.some((one) => isDeepStrictEqual(now, one))) return;
  }
  expect(allowed).toContainEqual(await read());
}

/** What a caller may be told: the truth, or that the outcome is not known. */
export async function expectOnce(
  { proxy, direct, account }: Scene,
  verb: Verb,
  { run }: Prepared,
  heal: Heal,
  isHit: () => boolean,
): Promise<void> {
  const balance = () => direct.balance(account.accountId);
  const told = await run(isHit).then(
    ({ result }) => result,
    (error: { code?: string }) => String(error.code),
  );
  expect(["held", "done", "spooled", "database_unavailable"]).toContain(told);
  calm(proxy);
  await heal();
  if (verb.isHold && told === "database_unavailable") {
    await expectSoon(balance, verb.undone);
    return;
  }
  if (told === "database_unavailable") await expectSoon(balance, verb.undone, verb.done);
  else await expectSoon(balance, verb.done);
  if (verb.isHold) return;
  const again = await run(isHit).then(({ result }) => result);
  expect(["done", "already", "spooled"]).toContain(again);
  await expectSoon(balance, verb.done);
}
