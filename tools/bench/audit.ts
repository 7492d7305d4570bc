/**
 * `npm run bench:audit -- [requests] [folder] [rounds]`: what an audit costs that seals requests made
 * within one hour, with one connection and with two, in turns. The folder is kept if it is named, and
 * its history is not made again.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { onlyRow } from "@/lib/db/only-row";
import { auditSealed } from "@/lib/ledger/audit/audit-sealed";
import { forgetSeals } from "@/testing/ledger/history";
import { openHistory } from "./history-data";

const [, , requests = "360000", named, rounds = "3"] = process.argv;
const folder = named ?? mkdtempSync(join(tmpdir(), "relay-audit-"));

/** Processor time of the connection's process so far, in µs. */
async function processorTime(client: pg.Client): Promise<() => number> {
  const { pid } = onlyRow(await client.query<{ pid: number }>("select pg_backend_pid() as pid"));
  return () => Number(readFileSync(`/proc/${pid}/schedstat`, "utf8").split(" ")[0]) / 1000;
}

async function open(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl });
  await client.connect();
  await client.query("set max_parallel_workers_per_gather = 0");
  return client;
}

/** Whether the audit was clean. */
async function measure(connections: number): Promise<boolean> {
  const first = await open();
  await forgetSeals(first);
  const used = [await processorTime(first)];
  const before = used.map((time) => time());
  const startedAt = performance.now();
  const { checks } = await auditSealed(first, {
    ...(connections === 2 && {
      async openSecond() {
        const second = await open();
        const time = await processorTime(second);
        before.push(time());
        const last = () => {
          const now = time();
          used[1] = () => now;
        };
        const end = second.end.bind(second);
        second.end = () => {
          last();
          return end();
        };
        return second;
      },
    }),
  });
  const wall = (performance.now() - startedAt) * 1000;
  const each = (µs: number) => `${(µs / Number(requests)).toFixed(2)} µs`;
  const times = used.map((time, place) => each(time() - (before[place] ?? 0)));
  console.log(
    `${connections} connection(s): ${times.join(" and ")} of processor time a request, ${each(wall)} until the end`,
  );
  for (const check of checks) if (!check.ok) console.log(check);
  await first.end();
  return checks.every(({ ok }) => ok);
}

const plan = { accounts: 2000, requests: Number(requests), days: 1 / 24, open: 200, seed: 14 };
const postgres = await openHistory(folder, plan);
let isGood = true;
try {
  for (let round = 0; round < Number(rounds); round++)
    for (const connections of [1, 2]) isGood = (await measure(connections)) && isGood;
} finally {
  await postgres.stop();
  if (named === undefined) rmSync(folder, { recursive: true, force: true });
}
process.exit(isGood ? 0 : 1);
