/**
 * `npm run soak -- hours 8 [--seed N] [--clients N] [--out FILE]`, or `minutes`: everything at once,
 * with faults drawn from the seed, and a verdict at the end. `npm run soak -- record FILE` adds the
 * verdict to `docs/proof.md`.
 * `npm run soak [chat|video] [rounds]`: kills the product repeatedly under load and compares the
 * ledger with what callers received and the upstream recorded. Half of the rounds use one server,
 * half use two on one database.
 * `npm run soak replicas [rounds]`: two servers behind one address share limits in Redis, which is
 * stopped and frozen in between.
 * `npm run soak ha [changes]`: two servers, one of them behind PgBouncer, while the primary of the
 * database changes. `npm run soak patroni [changes]`: the same with Patroni, etcd and HAProxy themselves.
 * `EARLIER_RELEASE=FOLDER npm run soak rolling [rounds]`: an upgrade from a build of an earlier release.
 */
import { soakHa } from "./ha/soak-ha";
import { soakPatroni } from "./ha/soak-patroni";
import { soakKills } from "./kills";
import { soakMixed } from "./mixed/command";
import { recordRun } from "./mixed/proof";
import { soakReplicas } from "./replicas";
import { soakRolling } from "./rolling";

const [family = "chat", given = "100"] = process.argv.slice(2);
if (family === "hours" || family === "minutes") process.exit(await soakMixed(family));
if (family === "record") {
  recordRun(given);
  process.exit(0);
}
const soaks: Readonly<Record<string, (rounds: number) => Promise<string[]>>> = {
  chat: (rounds) => soakKills("text", rounds),
  video: (rounds) => soakKills("video", rounds),
  replicas: soakReplicas,
  ha: soakHa,
  patroni: soakPatroni,
  rolling: soakRolling,
};
const rounds = Number(given);
const soak = soaks[family];
if (soak === undefined || !Number.isInteger(rounds) || rounds < 2) {
  console.error(
    `soak [hours|minutes] NUMBER, or soak [chat|video|replicas|ha|patroni|rolling] [rounds, 2 or more]; got "${family}" "${given}"`,
  );
  process.exit(2);
}
const faults = await soak(rounds);
console.log(
  faults.length === 0 ? "1 passed, 0 failed" : `0 passed, 1 failed: ${faults.length} faults`,
);
process.exit(faults.length === 0 ? 0 : 1);
