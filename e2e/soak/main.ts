/**
 * `npm run soak -- hours 8 [--seed N] [--clients N] [--out FILE]`, or `minutes`: everything at once,
 * with faults drawn from the seed, and a verdict at the end. `npm run soak -- record FILE` adds the
 * verdict to `docs/proof.md`.
 * `npm run soak [chat|video] [rounds]`: kills the product repeatedly under load and compares the
 * ledger with what callers received and the upstream recorded. Half of the rounds use one server,
 * half use two on one database.
 * `npm run soak replicas [rounds]`: two servers behind one address share limits in Redis, which is
 * stopped and frozen in between.
 */
import { soakChat } from "./chat";
import { onBothInstallations } from "./installations";
import { soakMixed } from "./mixed/command";
import { recordRun } from "./mixed/proof";
import { soakReplicas } from "./replicas";
import { soakVideo } from "./video";

const [family = "chat", given = "100"] = process.argv.slice(2);
if (family === "hours" || family === "minutes") process.exit(await soakMixed(family));
if (family === "record") {
  recordRun(given);
  process.exit(0);
}
const rounds = Number(given);
const soaks = { chat: soakChat, video: soakVideo };
if (
  !(family === "chat" || family === "video" || family === "replicas") ||
  !Number.isInteger(rounds) ||
  rounds < 2
) {
  console.error(
    `soak [hours|minutes] NUMBER, or soak [chat|video|replicas] [rounds, 2 or more]; got "${family}" "${given}"`,
  );
  process.exit(2);
}

const soakBoth = (soak: typeof soakChat) =>
  onBothInstallations((installation) =>
    soak(installation, installation.killsPostgres ? Math.ceil(rounds / 2) : Math.floor(rounds / 2)),
  );
const faults = family === "replicas" ? await soakReplicas(rounds) : await soakBoth(soaks[family]);
console.log(
  faults.length === 0 ? "1 passed, 0 failed" : `0 passed, 1 failed: ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
