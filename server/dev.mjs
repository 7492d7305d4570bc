/**
 * `npm run dev`: the server from source. Pages reload when they change; a change in `lib` or
 * `server` restarts the server.
 */
import { spawn } from "node:child_process";
import { watch } from "node:fs";
import { stopOnSignals } from "./prepare/child.mjs";
import { releasePrepareLock } from "./prepare/lock.mjs";
import { prepare } from "./prepare/prepare.mjs";
import { inProject, projectFolder, requireNodeVersion } from "./prepare/project.mjs";

requireNodeVersion();
process.chdir(projectFolder);
const endStopping = stopOnSignals(0, releasePrepareLock);
await prepare(["client"], { withDevelopment: true });

let server;
let isStopping = false;
let isRestarting = false;

function start() {
  isRestarting = false;
  server = spawn(process.execPath, ["--import", "tsx", "server/main.ts"], {
    stdio: "inherit",
    env: { ...process.env, NODE_ENV: "development", NEXT_TELEMETRY_DISABLED: "1" },
  });
  server.once("exit", (code) => {
    if (isRestarting) start();
    else if (isStopping || code === 0) process.exit(code ?? 1);
    else process.stderr.write("The server ended. It starts again when a file changes.\n");
  });
}

function restart(_event, name) {
  if (
    !/\.tsx?$/.test(name ?? "") ||
    name.includes("generated") ||
    name.includes(".test.") ||
    isStopping ||
    isRestarting
  )
    return;
  process.stderr.write(`${name} changed: starting again.\n`);
  isRestarting = true;
  if (server.exitCode === null) server.kill("SIGTERM");
  else start();
}

for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    isStopping = true;
    isRestarting = false;
    if (server.exitCode === null) server.kill(signal);
    else process.exit(0);
  });
}
endStopping();
start();
for (const folder of ["lib", "server"]) watch(inProject(folder), { recursive: true }, restart);
