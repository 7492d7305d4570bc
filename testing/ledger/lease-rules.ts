/** What must be true of points leases after every step, whatever happened. */
import type { Process, World } from "./lease-world";

const smallerOf = (one: bigint, other: bigint): bigint => (one < other ? one : other);
const sum = (amounts: Iterable<bigint>): bigint => {
  let total = 0n;
  for (const amount of amounts) total += amount;
  return total;
};

function expectThat(isSo: boolean, what: string): void {
  if (!isSo) throw new Error(what);
}

function checkWallet({ database }: World, account: string): void {
  const { credits, debits, pending, leased } = database.wallet(account);
  const available = credits - debits - pending - leased;
  expectThat(
    [available, pending, leased, debits].every((amount) => amount >= 0n),
    `${account} is below zero: ${available} available, ${pending} held, ${leased} leased`,
  );
  const rows = [...database.leases].filter(([place]) => place.startsWith(`${account} `));
  expectThat(
    rows.every(([, { amount }]) => amount >= 0n) &&
      sum(rows.map(([, { amount }]) => amount)) === leased,
    `${account}: the leases do not add up to ${leased}`,
  );
  const held = [...database.operations.values()]
    .filter(({ account: of, end }) => of === account && !end)
    .map(({ hold }) => hold);
  expectThat(sum(held) === pending, `${account}: the open holds do not add up to ${pending}`);
  const charged = database.charges.filter(({ account: of }) => of === account);
  expectThat(
    sum(charged.map(({ amount }) => amount)) === debits,
    `${account}: the charges do not add up to ${debits}`,
  );
}

/** What a process promised and the database does not know is covered by the process's lease. */
function checkPromises({ database }: World, process: Process, account: string): void {
  if (process.state !== "alive" || process.revoked.has(account)) return;
  const lease = process.book.find(account);
  const unknown = [...process.requests.values()].filter(
    ({ facts, state }) =>
      facts.account === account && state === "memory" && !database.operations.has(facts.id),
  );
  const promised = sum(unknown.map(({ facts }) => facts.hold));
  const free = lease ? lease.leased - lease.held : 0n;
  const row = database.leaseOf(account, process.node)?.amount ?? 0n;
  expectThat(free >= 0n, `${process.node} promised more than its lease of ${account}`);
  expectThat(
    promised + free <= row,
    `${process.node} promised ${promised} of ${account} and may promise ${free}, with a lease of ${row}`,
  );
}

function checkCharges({ database, processes }: World): void {
  const charged = new Map<string, bigint>();
  for (const { id, amount } of database.charges) {
    expectThat(!charged.has(id), `${id} is charged twice`);
    charged.set(id, amount);
  }
  for (const process of processes)
    for (const [id, { facts, told, end }] of process.requests) {
      const amount = charged.get(id) ?? 0n;
      expectThat(amount <= facts.hold, `${id} is charged more than its hold`);
      expectThat(amount === 0n || end?.isSettle === true, `${id} is charged without a settlement`);
      if (told && told.charged >= 0n)
        expectThat(amount === told.charged, `${id} was told ${told.charged}, charged ${amount}`);
    }
}

/** Throws at the first rule that is broken. */
export function check(world: World): void {
  const { database, processes, accounts } = world;
  for (const account of accounts) {
    checkWallet(world, account);
    for (const process of processes) checkPromises(world, process, account);
  }
  for (const place of database.leases.keys())
    expectThat(
      database.nodes.has(place.split(" ")[1] ?? ""),
      `a lease is left of a node that is gone: ${place}`,
    );
  checkCharges(world);
}

/** Lets everything arrive and end; then no point may be anywhere but with its owner. */
export function checkEnd(world: World): void {
  const { database, processes, accounts } = world;
  const settle = () => {
    for (const process of processes.filter(({ state }) => state === "alive")) {
      world.beat(process);
      world.tick(process);
      while (process.outbox.length > 0) world.send(process, 0, "answered");
    }
    world.sweep(true);
    check(world);
  };
  settle();
  for (const process of processes.filter(({ state }) => state === "alive"))
    for (let n = process.requests.size; n > 0; n--) world.end(process, 0, true, 4n);
  for (const account of accounts) world.recall(account);
  for (let n = 0; n < 4; n++) settle();
  for (const account of accounts) {
    const { leased, pending } = database.wallet(account);
    expectThat(leased === 0n, `${leased} points of ${account} stay leased`);
    expectThat(pending === 0n, `${pending} points of ${account} stay held`);
    checkLastPoints(world, account);
  }
  checkAllEnded(world);
}

function checkLastPoints({ database, processes }: World, account: string): void {
  const hold = database.available(account);
  const node = processes.find(({ state }) => state === "alive")?.node ?? "";
  const facts = { id: `last-${account}`, account, node, key: "", hold };
  const last = database.hold({ ...facts, isSettle: false, amount: 0n });
  expectThat(last === "held", `the last ${hold} points of ${account} cannot be spent`);
}

/** A request that ended is in the database, and one that a living process charged is charged. */
function checkAllEnded({ database, processes }: World): void {
  for (const process of processes)
    for (const [id, { facts, state, end }] of process.requests) {
      const operation = database.operations.get(id);
      if (state === "refused" || process.state !== "alive" || !end) continue;
      expectThat(operation?.end !== undefined && operation.end !== null, `${id} has no end`);
      if (process.revoked.size > 0 || process.wasRevoked || !end.isSettle) continue;
      const due = smallerOf(end.amount, facts.hold);
      expectThat(
        operation?.end?.amount === due,
        `${id} is charged ${operation?.end?.amount}, due ${due}`,
      );
    }
}
