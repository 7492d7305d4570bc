/** `npm run demo`: prepares the project as `npm start` does, then runs the bundled demo. */
import { stopOnSignals } from "../../server/prepare/child.mjs";
import { releasePrepareLock } from "../../server/prepare/lock.mjs";
import { prepare } from "../../server/prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "../../server/prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(1, releasePrepareLock);
await prepare(["client", "bundle"]);
const { build } = await import("esbuild");
const outfile = inProject("dist/demo/main.mjs");
await build({
  entryPoints: [inProject("tools/demo/main.ts")],
  outfile,
  bundle: true,
  packages: "external",
  platform: "node",
  format: "esm",
  sourcemap: true,
});
endStopping();
await import(outfile);
