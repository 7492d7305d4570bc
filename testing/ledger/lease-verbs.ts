/** What a process and the database tell each other of points leases, prepared for faults. */
import type { OpenLedger } from "@/lib/ledger/ledger";
import type { HoldRequest } from "@/lib/ledger/verbs";
import { pause } from "@/lib/pause";
import { leasable } from "./leasing";
import type { Scene, Verb } from "./ledger-verbs";
import { holdOf, releaseOf, settleOf } from "./test-ledger";

/** What the account of each case has. */
export const START = 1_000_000n;
/** The holds against a lease: it then has 4000. */
const HELD = 500n;
const PATIENCE_MS = 20_000;

type Lease = { readonly amount: bigint; readonly known: readonly string[] };

/** In one snapshot: the lease of the process, and which of the holds the database has. */
export async function leaseOf(
  { client, account }: Scene,
  { nodeId }: OpenLedger,
  holds: readonly HoldRequest[] = [],
): Promise<Lease> {
  const { rows } = await client.query<{ amount: string; known: string[] }>(
    `select coalesce((select amount from points_lease where account_id = $1 and node_id = $2), 0) as amount,
            array(select id::text from operation where id = any($3::uuid[])) as known`,
    [account.accountId, nodeId, holds.map(({ operationId }) => operationId)],
  );
  return { amount: BigInt(rows[0]?.amount ?? 0), known: rows[0]?.known ?? [] };
}

/** Opens and releases holds again and again, which costs nothing, until the lease is as wanted. */
async function use(
  scene: Scene,
  ledger: OpenLedger,
  amounts: readonly bigint[],
  isEnough: (lease: Lease) => boolean,
): Promise<{ readonly result: "done" }> {
  for (const end = performance.now() + PATIENCE_MS; ; await pause(20)) {
    const holds = amounts.map((amount) => leasable(scene.account, amount));
    const told = await Promise.allSettled(holds.map((hold) => ledger.openHold(hold)));
    const lease = await leaseOf(scene, ledger, holds);
    const open = holds.filter((_, at) => told[at]?.status === "fulfilled");
    await Promise.all(open.map((hold) => ledger.release(releaseOf(hold))));
    for (const one of told) if (one.status === "rejected") throw one.reason;
    if (isEnough(lease)) return { result: "done" };
    if (performance.now() > end) throw new Error(`a lease of ${lease.amount} stays`);
  }
}

/** Until holds are opened in memory. As many at once as make an account worth a lease. */
const lease = (scene: Scene, ledger = scene.ledger) =>
  use(scene, ledger, [HELD, HELD, HELD, HELD], ({ known }) => known.length === 0);

async function openedInMemory(scene: Scene): Promise<HoldRequest> {
  await lease(scene);
  const hold = leasable(scene.account, HELD);
  await scene.ledger.openHold(hold);
  return hold;
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE_MS; !(await isSo()); await pause(10))
    if (performance.now() > end) throw new Error("it does not come");
}

/** Wants every lease of the account back, as somebody who needs the points does. */
const recalled = async ({ direct, account }: Scene) => {
  const back = () =>
    direct.leasesBack(account.accountId).then(
      () => true,
      (error: { code?: string }) => {
        // Its caller gets this error too, and tries again.
        if (error.code === "service_busy") return false;
        throw error;
      },
    );
  await until(back);
  return { result: "done" };
};

const isWritten = async ({ direct, account }: Scene) =>
  (await direct.balance(account.accountId)).held === HELD;
const isEnded = async ({ client }: Scene, { operationId }: HoldRequest) =>
  (await client.query("select from settlement where operation_id = $1", [operationId])).rowCount ===
  1;

const whole = { available: START, held: 0n };
const held = { available: START - HELD, held: HELD };
const paid = { available: START - 30n, held: 0n };
/** A message of the desk, and one of the writer; both are calls of one function. */
const byDesk = { mark: "ledger_apply_leased", answer: ";;;", by: "statement" } as const;
const byWriter = { mark: "ledger_apply_leased", answer: ";;", by: "writer" } as const;
const acts = (kind: string) => ({ ...byDesk, also: new RegExp(`"kind":"${kind}"`) });
/** A hold that is written without its end. */
const writes = { ...byDesk, also: /"age":\d+\}/ };
/** All that is not leased, and some of what is. */
const NEARLY_ALL = START - 3000n;

export const leaseVerbs: readonly Verb[] = [
  {
    name: "a lease that is taken",
    ...acts("take"),
    done: whole,
    undone: whole,
    prepare: async (scene) => ({ run: () => lease(scene) }),
  },
  {
    name: "a lease that grows",
    ...acts("take"),
    done: whole,
    undone: whole,
    prepare: async (scene) => {
      await lease(scene);
      return {
        run: () => use(scene, scene.ledger, [6n * HELD], ({ amount }) => amount >= 24_000n),
      };
    },
  },
  {
    name: "a lease that shrinks",
    ...acts("give"),
    done: whole,
    undone: whole,
    prepare: async (scene) => {
      await lease(scene);
      return { run: () => use(scene, scene.ledger, [1n], ({ amount }) => amount < 1000n) };
    },
  },
  {
    name: "a lease that is given back beside an open hold",
    ...acts("give"),
    done: held,
    undone: whole,
    prepare: async (scene) => {
      const hold = await openedInMemory(scene);
      const finish = () => scene.ledger.release(releaseOf(hold));
      return { run: () => recalled(scene), finish };
    },
  },
  {
    name: "a lease that is closed",
    ...acts("close"),
    done: whole,
    undone: whole,
    prepare: async (scene) => {
      await lease(scene);
      return { run: () => recalled(scene) };
    },
  },
  {
    name: "a recall for a hold of nearly all points",
    mark: "ledger_recall",
    by: "statement",
    isHold: true,
    done: { available: START - NEARLY_ALL, held: NEARLY_ALL },
    undone: whole,
    prepare: async (scene) => {
      await lease(scene, scene.direct);
      const hold = holdOf(scene.account, NEARLY_ALL);
      return {
        run: () => scene.ledger.openHold(hold),
        finish: () => scene.ledger.release(releaseOf(hold)).catch(() => null),
      };
    },
  },
  {
    name: "a settlement with its hold",
    ...byWriter,
    also: /"settled":true/,
    done: paid,
    undone: whole,
    prepare: async (scene) => {
      const hold = await openedInMemory(scene);
      return { run: () => scene.ledger.settle(settleOf(hold, 30n)) };
    },
  },
  {
    name: "a release with its hold",
    ...byWriter,
    also: /"settled":false/,
    done: whole,
    undone: whole,
    prepare: async (scene) => {
      const hold = await openedInMemory(scene);
      const run = async () => {
        const told = await scene.ledger.release(releaseOf(hold));
        // The balance does not show whether it was replayed.
        await until(() => isEnded(scene, hold));
        return told;
      };
      return { run };
    },
  },
  {
    name: "a hold that lasts and is written",
    ...writes,
    done: held,
    undone: whole,
    prepare: async (scene) => {
      const hold = await openedInMemory(scene);
      const run = async () => {
        await until(() => isWritten(scene));
        return { result: "done" };
      };
      return { run, finish: () => scene.ledger.release(releaseOf(hold)) };
    },
  },
  {
    name: "a hold that ends while it is written",
    ...writes,
    done: paid,
    undone: whole,
    prepare: async (scene) => {
      const hold = await openedInMemory(scene);
      const run = async (isHit: () => boolean) => {
        await until(async () => isHit());
        return scene.ledger.settle(settleOf(hold, 30n));
      };
      return { run };
    },
  },
];
