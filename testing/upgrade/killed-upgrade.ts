/** Upgrades of a database in a process that is killed when it sends a statement. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { DatabaseProxy } from "../ledger/database-proxy";

const root = join(import.meta.dirname, "../..");

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
  // Beside node_modules, so that the bundle finds pg.
  const script = join(root, `node_modules/.cache/upgrade-${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, "upgrade-child.ts")],
    outfile: script,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });

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
    async stop() {
      rmSync(script, { force: true });
      await proxy.stop();
    },
  };
}
