/** From an empty database to a drained server, in the image. */
import { z } from "zod";
import type { EmbeddedPostgres } from "@/lib/db/embedded";
import { overTcp } from "../../testing/db/run-server";
import type { Checks } from "./checks";
import type { Engine, Environment } from "./engine";
import { ask, askStream, readiness } from "./requests";

const HEALTHY_SECONDS = 120;
/** What compose.yaml and the chart give a server before it is killed. */
const STOP_SECONDS = 45;
const EMAIL = "proof@example.com";
const POINTS = 1000;

export interface Proof {
  readonly engine: Engine;
  readonly checks: Checks;
  /** Of the container. */
  readonly name: string;
  readonly volume: string;
  readonly port: number;
  readonly postgres: EmbeddedPostgres;
}

const settingsOf = ({ port, postgres }: Proof): Environment => ({
  PORT: String(port),
  PUBLIC_URL: `http://localhost:${port}`,
  DATABASE_URL: overTcp(postgres.url),
  RELAY_DATA_DIR: "/data/relay",
  RELAY_PROCESSES: "1",
  RELAY_SECRET: "0123456789abcdef0123456789abcdef-of-the-proof",
  RELAY_SANDBOX: "on",
  RELAY_WELCOME_POINTS: "0",
});

async function proveMigration(proof: Proof): Promise<void> {
  const { engine, checks, volume, postgres } = proof;
  const settings = settingsOf(proof);
  const early = await engine.once(settings, volume);
  checks.expect(
    "a server whose role owns nothing refuses an empty database, and says why",
    early.code === 1 && early.output.includes("DATABASE_OWNER_URL"),
    early.output.trim().split("\n").at(-1)?.slice(0, 160) ?? "",
  );
  const { DATABASE_URL = "" } = settings;
  const migration = await engine.once(
    { DATABASE_URL, DATABASE_OWNER_URL: overTcp(postgres.ownerUrl), RELAY_DATA_DIR: "/tmp/relay" },
    volume,
    ...["node", "dist/relay.mjs", "database", "migrate"],
  );
  checks.expect(
    "one command of the image migrates the empty database under the owning role",
    migration.code === 0,
    migration.output.trim().slice(-160),
  );
}

async function proveConfinement({ engine, checks, name }: Proof): Promise<void> {
  const status = await engine.exec(name, "cat", "/proc/1/status");
  const field = (label: string) => new RegExp(`^${label}:\\s+(\\S+)`, "m").exec(status)?.[1] ?? "";
  checks.expect("it does not run as root", field("Uid") === "1000", `uid ${field("Uid")}`);
  checks.expect("an init is its first process", field("Name") === "tini", field("Name"));
  const capabilities = `${field("CapEff")} ${field("CapBnd")}`;
  checks.expect("it has no capability", /^0+ 0+$/.test(capabilities), capabilities);
  checks.expect("it can gain no rights", field("NoNewPrivs") === "1");
  checks.expect("system calls are filtered", field("Seccomp") === "2");
  const written = await engine.exec(
    name,
    ...["sh", "-c", "for d in / /app /app/dist /usr /etc; do touch $d/x 2>&1 || true; done"],
  );
  checks.expect(
    "no folder of the image can be written",
    written.split("\n").filter((line) => line.includes("Read-only file system")).length === 5,
  );
  const environment = await engine.exec(name, "cat", "/proc/1/environ");
  checks.expect("it never gets the owner's address", !environment.includes("DATABASE_OWNER_URL"));
  const mode = await engine.exec(name, "stat", "-c", "%a %u", "/data/relay");
  checks.expect("it alone reads its data folder", /^\d?700 1000$/.test(mode), mode);
}

const accountSchema = z.object({
  account: z.object({ available_points: z.number(), held_points: z.number() }),
});
const auditSchema = z.object({ ok: z.boolean(), accounts: z.number(), entries: z.number() });

/** The command line in the running container. */
async function relay({ engine, name }: Proof, ...words: string[]): Promise<unknown> {
  return JSON.parse(await engine.exec(name, "node", "dist/relay.mjs", ...words, "--json"));
}

async function balance(proof: Proof): Promise<number> {
  const shown = await relay(proof, "account", "show", "--email", EMAIL);
  const { available_points, held_points } = accountSchema.parse(shown).account;
  return available_points + held_points;
}

async function proveAudit(proof: Proof, when: string): Promise<void> {
  const { ok, entries } = auditSchema.parse(await relay(proof, "ledger", "audit"));
  proof.checks.expect(`every point is accounted for ${when}`, ok, `${entries} entries`);
}

async function makeKey(proof: Proof): Promise<string> {
  const account = ["--email", EMAIL, "--password", "a-long-proof-password"];
  await relay(proof, "account", "create", ...account, "--points", String(POINTS));
  const made = await relay(proof, "key", "create", "--email", EMAIL, "--name", "proof");
  return z.object({ secret: z.string() }).parse(made).secret;
}

/** Requests of each kind; returns the points that their answers name. */
async function proveCharges(proof: Proof, key: string): Promise<number> {
  const { checks, port } = proof;
  const plain = await ask(port, key, "Say something short.");
  checks.expect("a chat request is answered and charged", plain > 0, `${plain} points`);
  const { points, isWhole } = await askStream(port, key, "[[tokens:40]] Say more.");
  checks.expect("a stream is answered and charged", isWhole && points > 0, `${points} points`);
  const left = await balance(proof);
  const spent = plain + points;
  checks.expect(
    "the account has paid exactly what the answers say",
    Math.round((POINTS - left) * 1e6) === Math.round(spent * 1e6),
    `${POINTS} − ${spent.toFixed(6)} = ${left}`,
  );
  for (const path of ["/", "/login", "/models", "/docs"]) {
    const page = await fetch(`http://127.0.0.1:${port}${path}`);
    checks.expect(`the page ${path} is served`, page.status === 200, page.status);
  }
  return spent;
}

async function proveKill(proof: Proof): Promise<void> {
  const { engine, checks, name } = proof;
  await engine.kill(name);
  await engine.startAgain(name);
  await engine.waitUntilHealthy(name, HEALTHY_SECONDS);
  checks.expect("killed and started again, it serves", (await readiness(proof.port)) === 200);
  await proveAudit(proof, "after kill -9");
}

async function proveDrain(proof: Proof, key: string, spent: number): Promise<void> {
  const { engine, checks, name, port } = proof;
  let stopped: Promise<number> | undefined;
  let startedAt = 0;
  let ready: Promise<number> | undefined;
  const stream = await askStream(port, key, "[[tokens:2000]] Take your time.", () => {
    startedAt = Date.now();
    stopped = engine.stop(name, STOP_SECONDS);
    ready = readiness(port, 503);
  });
  checks.expect("after SIGTERM it takes no new work", (await ready) === 503);
  checks.expect(
    "the stream in flight ends whole, with its charge",
    stream.isWhole && stream.points > 0,
    `${stream.points} points, ${((stream.endedAt - startedAt) / 1000).toFixed(1)} s after SIGTERM`,
  );
  const code = await stopped;
  const seconds = (Date.now() - startedAt) / 1000;
  checks.expect("it exits with 0 and is not killed", code === 0, `${code}`);
  checks.expect(`within ${STOP_SECONDS} s`, seconds < STOP_SECONDS, `${seconds.toFixed(1)} s`);
  await engine.startAgain(name);
  await engine.waitUntilHealthy(name, HEALTHY_SECONDS);
  const left = await balance(proof);
  checks.expect(
    "the charge of that stream is in the ledger",
    Math.round((POINTS - left) * 1e6) === Math.round((spent + stream.points) * 1e6),
    `${left} points left`,
  );
  await proveAudit(proof, "after the drain");
}

export async function proveServing(proof: Proof): Promise<void> {
  const { engine, checks, name, volume } = proof;
  await proveMigration(proof);
  const startedAt = Date.now();
  await engine.start(name, settingsOf(proof), volume);
  await engine.waitUntilHealthy(name, HEALTHY_SECONDS);
  const seconds = ((Date.now() - startedAt) / 1000).toFixed(1);
  checks.expect("the image's health check is green", true, `${seconds} s after its start`);
  checks.expect("it is ready for requests", (await readiness(proof.port)) === 200);
  await proveConfinement(proof);
  const key = await makeKey(proof);
  const spent = await proveCharges(proof, key);
  await proveAudit(proof, "after these requests");
  await proveKill(proof);
  await proveDrain(proof, key, spent);
  const failures = /EROFS|EACCES|unhandled/.exec(await engine.log(name));
  checks.expect("its log names no refused write", failures === null, failures?.[0] ?? "");
}
