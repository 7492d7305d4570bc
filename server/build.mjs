/** `npm run build`: everything `npm start` needs, without starting it. */
import { stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { projectFolder, requireNodeVersion } from "./prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(130, releasePrepareLock);
await prepare(["client", "bundle", "pages"]);
endStopping();
