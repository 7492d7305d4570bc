/**
 * The sandbox upstream in a process of its own, for all workers: a task that one of them submits is
 * found by the others.
 */
import { type ChildProcess, fork } from "node:child_process";
import { log } from "@/lib/process/log";
import {
  newSandboxCredential,
  type SandboxAddress,
  WORKER_VARIABLE,
} from "@/lib/process/worker-identity";
import { pause } from "@/lib/timing/pause";
import { assertPortFree } from "../environment";
import { copyLines } from "./log-lines";

export const SANDBOX_VARIABLE = "RELAY_SANDBOX_PROCESS";
const RESTART_MS = 1000;
const HOST = "127.0.0.1";

export interface SandboxProcess {
  readonly place: SandboxAddress;
  readonly pid: number | undefined;
  close(): Promise<void>;
}

/** Starts the sandbox's process, and starts it again at the same address when it ends. */
export async function openSandboxProcess(program: string): Promise<SandboxProcess> {
  const port = await assertPortFree(HOST, 0);
  const place = { origin: `http://${HOST}:${port}`, credential: newSandboxCredential() };
  const given = JSON.stringify({ worker: 0, workers: 1, nodeId: "", sandbox: place });
  let child: ChildProcess | undefined;
  let isClosing = false;
  const open = (): Promise<void> => {
    const own = fork(program, {
      env: { ...process.env, [WORKER_VARIABLE]: given, [SANDBOX_VARIABLE]: "1" },
      silent: true,
    });
    child = own;
    if (own.stdout) copyLines(own.stdout, process.stdout);
    if (own.stderr) copyLines(own.stderr, process.stderr);
    return new Promise((resolve, reject) => {
      own.once("message", () => resolve());
      own.once("exit", (code, signal) => {
        reject(new Error(`the sandbox could not start (${code ?? signal})`));
        if (isClosing) return;
        log.error({ alarm: "worker", code, signal }, "the sandbox has ended and is started again");
        void pause(RESTART_MS).then(() => (isClosing ? undefined : open().catch(() => {})));
      });
    });
  };
  await open();
  return {
    place,
    get pid() {
      return child?.pid;
    },
    async close() {
      isClosing = true;
      const own = child;
      if (own === undefined || own.exitCode !== null || own.signalCode !== null) return;
      const ended = new Promise((resolve) => own.once("exit", resolve));
      own.disconnect();
      const timer = setTimeout(() => own.kill("SIGKILL"), 5000);
      await ended;
      clearTimeout(timer);
    },
  };
}
