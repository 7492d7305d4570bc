/**
 * A process that finds its own bounds by reaching them, with the place that its environment gives.
 * Used by worker-parts.test.ts.
 */
import { connect, type Socket } from "node:net";
import { openPool } from "@/lib/db/pool";
import { createBodyMemory } from "@/lib/limits/body-memory";
import { createRunningWork } from "@/lib/limits/running-work";
import { partOf } from "@/lib/process/worker-identity";
import { createWebServer } from "@/server/web-server";
import { listen } from "../stage/listen";

const MEBIBYTE = 1024 * 1024;
const FAR_TOO_MANY = 10_000;
/** More than any number of workers lets an address have at one of them. */
const CONNECTIONS = 450;

/** How often `next` succeeds: it returns false at the bound. */
function countUntil(next: (n: number) => boolean): number {
  let count = 0;
  while (count < FAR_TOO_MANY && next(count)) count++;
  return count;
}

/** How many requests run at once, when request `n` is sent by this subject. */
function running(of: (n: number) => { rateSubject: string; accountId: string }): number {
  const work = createRunningWork();
  return countUntil((n) => {
    try {
      const wait = work.enter(of(n));
      wait?.catch(() => {});
      return wait === undefined;
    } catch {
      return false;
    }
  });
}

/** How many bodies of 1 MiB are kept at once; of one account while they arrive. */
function bodies(accountOf: (n: number) => string, isComplete: boolean): number {
  const memory = createBodyMemory();
  return countUntil((n) => {
    const share = memory.open(accountOf(n), MEBIBYTE);
    const wait = share.charge(MEBIBYTE);
    wait?.catch(() => {});
    if (isComplete && wait === undefined) share.complete(MEBIBYTE);
    return wait === undefined;
  });
}

/** How many connections of this address are served at once. */
async function connections(): Promise<number> {
  const { server } = createWebServer({
    find: () => undefined,
    answerPage: async (_, response) => void response.writeHead(404).end(),
    report: () => {},
  });
  const { port } = await listen(server);
  const isServed = async (socket: Socket): Promise<boolean> => {
    socket.on("error", () => {});
    socket.write("GET / HTTP/1.1\r\nhost: relay\r\n\r\n");
    return new Promise((resolve) => {
      socket.once("data", () => resolve(true));
      socket.once("close", () => resolve(false));
    });
  };
  const sockets = Array.from({ length: CONNECTIONS }, () => connect(port, "127.0.0.1"));
  return (await Promise.all(sockets.map(isServed))).filter(Boolean).length;
}

const ofPool = (size: number): number | undefined =>
  openPool("postgresql://127.0.0.1/none", size).options.max;

const found = {
  ofKey: running(() => ({ rateSubject: "key", accountId: "account" })),
  ofAccount: running((n) => ({ rateSubject: `key ${n}`, accountId: "account" })),
  inAll: running((n) => ({ rateSubject: `key ${n}`, accountId: `account ${n}` })),
  bodyMebibytes: bodies((n) => `account ${n}`, true),
  bodyMebibytesOfAccount: bodies(() => "account", false),
  connections: await connections(),
  pools: [1, 2, 3, 8, 20].map(ofPool),
  ofOne: partOf(1),
};
process.stdout.write(JSON.stringify(found), () => process.exit(0));
