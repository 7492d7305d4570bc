/** Runs a file of this folder as a process of its own, which a test can kill. */
import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";

export interface ChildBundle {
  /** What the process printed until it ended. With `killAfterMs` it is killed so long after it said "ready". */
  run(words: readonly string[], killAfterMs?: number): Promise<string>;
  remove(): void;
}

export async function bundleChild(name: string): Promise<ChildBundle> {
  // Beside node_modules, so that the bundle finds pg.
  const cache = join(import.meta.dirname, "../../node_modules/.cache");
  const outfile = join(cache, `${name}-${process.pid}.mjs`);
  await build({
    entryPoints: [join(import.meta.dirname, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  return {
    async run(words, killAfterMs) {
      const child = spawn(process.execPath, [outfile, ...words], {
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
    remove: () => rmSync(outfile),
  };
}
