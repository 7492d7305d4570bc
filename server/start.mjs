/** `npm start`: from a fresh clone to serving, or straight to serving when nothing changed since. */
import { stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { fail, inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";

const startedAt = Date.now();
requireNodeVersion();
process.chdir(projectFolder);
Object.assign(process.env, { NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" });
const endStopping = stopOnSignals(0, releasePrepareLock);
await prepare(["client", "bundle"]);
const { prepareEnvironment, serve } = await import(inProject("dist/server.mjs"));
// What is set wrong is said before the minute that building the pages takes.
await prepareEnvironment().catch((error) => fail(error.message));
await prepare(["pages"]);
// The server listens for signals first: one that arrived just now would be lost between the two.
const served = serve(startedAt);
endStopping();
await served;
