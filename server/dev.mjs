/** `npm run dev`: the same server from source; pages reload as they change, the rest restarts. */
import { spawn } from "node:child_process";
import { stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(0, releasePrepareLock);
await prepare(["client"], { withDevelopment: true });
const watched = ["lib", "server"].flatMap((folder) => ["--include", `${folder}/**/*.ts`]);
const child = spawn(process.execPath, [inProject("node_modules/tsx/dist/cli.mjs"), "watch", ...watched, "server/main.ts"], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" },
});
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
endStopping();
child.once("exit", (code) => process.exit(code ?? 0));
