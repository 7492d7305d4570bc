/** Upgrades of a database in a process that is killed when it sends a statement. */
import { spawn } from "node:child_process";
import { DatabaseProxy } from "../ledger/database-proxy";
import { bundled } from "../stage/bundle";
import { root } from "../stage/product";

export interface KillPoint {
  /** It is killed at the first statement like the last of these, after those before. */
  readonly at: readonly RegExp[];
  /** Whether that statement still arrives. */
  readonly arrives: boolean;
}

export interface KilledUpgrade {
  /** Starts an upgrade. Resolves when it was killed. Rejects when it ended before. */
  run(point: KillPoint): Promise<void>;
  stop(): Promise<void>;
}

export async function openKilledUpgrade(ownerUrl: string, piece: number): Promise<KilledUpgrade> {
  const proxy = await DatabaseProxy.start(ownerUrl);
  const script = await bundled("testing/upgrade/upgrade-child.ts");

  async function run({ at, arrives }: KillPoint): Promise<void> {
    const child = spawn(process.execPath, [script, proxy.url, root, String(piece)], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    let said = "";
    child.stderr.on("data", (part: Buffer) => {
      said += String(part);
    });
    const killed = new Promise<boolean>((resolve) =>
      child.once("close", (_, signal) => resolve(signal === "SIGKILL")),
    );
    let place = 0;
    const isPoint = (request: Buffer) => {
      const next = at[place];
      if (next === undefined || !next.test(request.toString("latin1"))) return false;
      return ++place === at.length && child.kill("SIGKILL");
    };
    proxy.dropsRequest = (request) => !arrives && isPoint(request);
    proxy.delaysRequest = (request) => (arrives && isPoint(request) ? killed : null);
    if (!(await killed)) throw new Error(`the upgrade was not killed: ${said}`);
  }

  return {
    run,
    stop: () => proxy.stop(),
  };
}
