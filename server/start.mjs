/**
 * `npm start`: from a fresh clone to a running server, or straight to it when nothing has changed.
 */
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
// Reports a wrong setting before the minute that building the pages takes.
await prepareEnvironment().catch((error) => fail(error.message));
await prepare(["pages"]);
// The server installs its signal handlers first: a signal that arrived in between would be lost.
const served = serve(startedAt);
endStopping();
await served;
