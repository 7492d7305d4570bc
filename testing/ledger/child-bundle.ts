/** Runs a file of this folder as a process of its own, which a test can kill. */
import { spawn } from "node:child_process";
import { bundled } from "../stage/bundle";

export interface ChildBundle {
  /** What the process printed until it ended. With `killAfterMs` it is killed so long after it said "ready". */
  run(words: readonly string[], killAfterMs?: number): Promise<string>;
}

export async function bundleChild(name: string): Promise<ChildBundle> {
  const program = await bundled(`testing/ledger/${name}.ts`);
  return {
    async run(words, killAfterMs) {
      const child = spawn(process.execPath, [program, ...words], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let said = "";
      child.stdout.on("data", (part: Buffer) => {
        if (said === "" && killAfterMs !== undefined)
          setTimeout(() => child.kill("SIGKILL"), killAfterMs);
        said += String(part);
      });
      await new Promise((resolve) => child.once("close", resolve));
      return said;
    },
  };
}
