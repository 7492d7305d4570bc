/** What must hold after every step of a schedule, and when everything has come to rest. */
import { ACCOUNTS, type World } from "./world";

const sum = (amounts: Iterable<number>): number => {
  let total = 0;
  for (const amount of amounts) total += amount;
  return total;
};

/** The breaches of the invariants now; empty when all hold. */
export function breaches({ database, processes, suspended, lost }: World): string[] {
  const found = [...database.faults];
  for (let account = 0; account < ACCOUNTS; account++) {
    const { credits, debits, pending, leased } = database.wallet(account);
    const of = <T extends { account: number }>(rows: Iterable<T>, amount: (row: T) => number) =>
      sum([...rows].filter((row) => row.account === account).map(amount));
    if (credits - debits - pending - leased < 0) found.push(`account ${account} is below zero`);
    if (pending !== of(database.open.values(), ({ hold }) => hold))
      found.push(`account ${account} holds ${pending}, its open operations another sum`);
    if (leased !== of(database.leases.values(), ({ points }) => points))
      found.push(`account ${account} has leased ${leased}, its leases another sum`);
  }
  for (const [lease, { points }] of database.leases)
    if (points < 0) found.push(`${lease} is below zero`);
  for (const [id, { amount, hold, isSettled, way }] of database.settlements) {
    const node = id.slice(0, id.indexOf("."));
    if (way === "lost" && !suspended.has(node) && !lost.has(node))
      found.push(`${id} lost its lease while its process ran`);
    if (amount < 0 || amount > hold) found.push(`${id} is charged ${amount} of a hold of ${hold}`);
    if (!isSettled && amount > 0) found.push(`${id} was released and charged`);
    if (database.open.has(id)) found.push(`${id} has ended and is open`);
  }
  for (const process of processes.values())
    for (const lease of process.isAlive ? process.leases.keys() : []) {
      const points = database.leases.get(lease)?.points;
      const promised = sum(
        [...process.running].flatMap(([id, each]) =>
          each.lease === lease && !database.open.has(id) && !database.settlements.has(id)
            ? [each.hold]
            : [],
        ),
      );
      if (points !== undefined && points < promised)
        found.push(`${lease} has ${points} for holds of ${promised}`);
    }
  return found;
}

/** What is left over once everything has ended. */
export function leftOvers(world: World): string[] {
  const { database, processes, suspended, lost } = world;
  const found = breaches(world);
  if (database.leases.size > 0) found.push(`leases are left: ${[...database.leases.keys()]}`);
  if (database.open.size > 0) found.push(`operations are open: ${[...database.open.keys()]}`);
  for (const [node, { told }] of processes) {
    if (suspended.has(node) || lost.has(node)) continue;
    for (const [id, amount] of told) {
      const end = database.settlements.get(id);
      const stored = end?.isSettled ? end.amount : null;
      if (!end || stored !== amount) found.push(`${id}: told ${amount}, stored ${stored}`);
    }
  }
  return found;
}
