/** Random histories, sealed at random moments: the figures are always those of the whole ledger. */

import type pg from "pg";
import { expect, test } from "vitest";
import { createTestDatabase } from "@/testing/db/test-database";
import { extent } from "@/testing/extent/extent";
import { openEarlier, seedHistory } from "@/testing/ledger/sealed-history";
import { connect, openTestLedger } from "@/testing/ledger/test-ledger";
import { creditLot, expireLots } from "../core/lots";
import { noOutcome } from "../core/verbs";
import { countAll } from "../usage/usage-counter";
import { auditLedger } from "./audit";
import { auditSealed } from "./audit-sealed";
import { sealLedger } from "./seal";

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((state / 2 ** 31) * below);
  };
}

/** Points that ended, credited on a day that is over. */
async function giveEarlier(owner: pg.ClientBase, accountId: string, ref: string): Promise<void> {
  const lot = { accountId, kind: "plan", ref, amount: 7n, reason: "test", actor: "cli" } as const;
  await creditLot(owner, { ...lot, endsAt: new Date(Date.now() - 1000) });
  await expireLots(owner, accountId, new Date());
  await owner.query("set session_replication_role = replica");
  await owner.query(
    "update ledger_entry set created_at = now() - interval '2 days' where kind in ('plan', 'expiry')",
  );
  await owner.query("reset session_replication_role");
}

test.each(extent([4], [1, 2, 3, 4]))("history %i", { timeout: 60_000 }, async (seed) => {
  const random = randomOf(seed * 7919);
  const url = await createTestDatabase();
  const owner = await connect(url);
  const ledger = await openTestLedger(url);
  await seedHistory(owner, url, { requests: 200 + random(400), days: 1 + random(6), seed });
  const account = () => `acct_history_${1 + random(12)}`;
  for (let lot = 0; lot < 6; lot++) await giveEarlier(owner, account(), `acp_${lot}:${seed}`);
  const open: Awaited<ReturnType<typeof openEarlier>>[] = [];
  const end = async () => {
    const [one] = open.splice(random(Math.max(open.length, 1)), 1);
    if (one) await ledger.release({ ...one, reason: "test", loss: null, outcome: noOutcome });
  };
  const steps = [
    async () => {
      const hours = random(120);
      open.push(await openEarlier(owner, account(), hours, random(3) ? hours : random(200) - 20));
    },
    end,
    async () => {
      const kind = random(2) ? "grant" : "adjust_down";
      const ref = `${seed}:${random(1e9)}`;
      const amount = BigInt(1 + random(99));
      await ledger.credit({
        accountId: account(),
        kind,
        ref,
        amount,
        reason: "test",
        actor: "cli",
      });
    },
    async () => {
      expect((await sealLedger(owner, { piece: 20 + random(200) })).broken).toEqual([]);
    },
    () => countAll(owner),
  ];
  for (let step = 0; step < 40; step++) {
    await steps[random(steps.length)]?.();
    if (step % 10 !== 9) continue;
    const whole = await auditLedger(owner);
    const sealed = await auditSealed(owner, { isFull: true });
    expect([...whole.checks, ...sealed.checks].filter(({ ok }) => !ok)).toEqual([]);
    expect([sealed.accounts, sealed.entries]).toEqual([whole.accounts, whole.entries]);
  }
  const { rows } = await owner.query(
    `select (select sum(requests)::int from ledger_piece) + (select count(*)::int from request r
              where r.id >= (select max(below::text)::uuid from ledger_piece) and not exists (select from ledger_apart a where a.operation_id = r.id))
            + (select count(*)::int from ledger_apart a join request r on r.id = a.operation_id where a.piece is null)
            = (select count(*)::int from request) as is_whole`,
  );
  expect(rows).toEqual([{ is_whole: true }]);
  await ledger.close();
  await owner.end();
});
