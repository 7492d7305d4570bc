/** A Valkey or Redis server for one test, where one is installed. */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { Redis } from "ioredis";
import { pause } from "@/lib/timing/pause";
import { freePort } from "../stage/listen";

export interface TestRedis {
  readonly url: string;
  readonly port: number;
  command(name: string, ...words: string[]): Promise<unknown>;
  /** SIGSTOP: the server keeps its connections and answers nothing. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL: the server loses its counts. */
  kill(): Promise<void>;
  /** Starts an empty server again. */
  start(): Promise<void>;
}

const program = ["valkey-server", "redis-server"].find(
  (name) => spawnSync(name, ["--version"]).status === 0,
);
export const hasRedis = program !== undefined;

async function answers(port: number): Promise<boolean> {
  const client = new Redis({
    port,
    host: "127.0.0.1",
    lazyConnect: true,
    retryStrategy: () => null,
  });
  client.on("error", () => {});
  return client
    .connect()
    .then(() => client.ping())
    .then(
      () => true,
      () => false,
    )
    .finally(() => client.disconnect());
}

export async function startTestRedis(): Promise<TestRedis> {
  const port = await freePort();
  let child: ChildProcess;
  const start = async () => {
    const place = ["--port", String(port), "--bind", "127.0.0.1"];
    const keepsNothing = ["--save", "", "--appendonly", "no"];
    child = spawn(program ?? "redis-server", [...place, ...keepsNothing], { stdio: "ignore" });
    while (!(await answers(port))) await pause(20);
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    async command(name, ...words) {
      const client = new Redis({ port, host: "127.0.0.1" });
      return client.call(name, ...words).finally(() => client.disconnect());
    },
    freeze: () => void child.kill("SIGSTOP"),
    thaw: () => void child.kill("SIGCONT"),
    async kill() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = new Promise((resolve) => child.once("exit", resolve));
      child.kill("SIGKILL");
      await gone;
    },
    start,
  };
}
