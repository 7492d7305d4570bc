/** Programs of tests, for processes of their own: bundled, they start much faster than from source. */
import { rmSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { root } from "./product";

const made: string[] = [];

/** Bundles a file of the project; returns the program. It is removed at the end of the test file. */
export async function bundled(file: string): Promise<string> {
  // Beside node_modules, so that the bundle finds its packages.
  const name = `${file.replaceAll("/", "-")}-${process.pid}.mjs`;
  const outfile = join(root, "node_modules/.cache", name);
  await build({
    entryPoints: [join(root, file)],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    packages: "external",
  });
  made.push(outfile);
  return outfile;
}

export function removeBundles(): void {
  for (const file of made.splice(0)) rmSync(file, { force: true });
}
