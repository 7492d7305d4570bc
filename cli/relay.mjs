/** `npm run relay -- …`: runs the bundled command line, rebuilt first if the source has changed. */
import { stopOnSignals } from "../server/prepare/child.mjs";
import { releasePrepareLock } from "../server/prepare/lock.mjs";
import { prepare } from "../server/prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "../server/prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(1, releasePrepareLock);
await prepare(["client", "bundle"]);
endStopping();
await import(inProject("dist/relay.mjs"));
