/** Two members of Patroni, etcd and HAProxy as processes, by the files of the worked set-up. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "@/lib/timing/pause";
import { findProgram, startProgram } from "@/testing/neighbours/program";
import { selfSigned } from "@/testing/stage/certificate";
import { freePort } from "@/testing/stage/listen";
import { root } from "@/testing/stage/product";
import { Member } from "./member";

const files = join(root, "deploy/ha");
const BINARIES = "/usr/lib/postgresql/15/bin";
const ROLES_MS_MAX = 240_000;
const isRoot = process.getuid?.() === 0;
const there = Promise.resolve(true);

/** The first that keeps a synchronous standby after each change of the primary. */
const PATRONI_MIN = "3.0.3";

function hasPatroni(): boolean {
  const program = findProgram(["patroni"]);
  if (program === undefined) return false;
  const said = spawnSync(program, ["--version"], { encoding: "utf8" }).stdout;
  return PATRONI_MIN.localeCompare(said.replace("patroni", "").trim(), "en", { numeric: true }) < 1;
}

const byApt = (name: string) => `${name} (apt-get install ${name})`;

/** What this machine lacks for a run, and how to install it; null where everything is here. */
export function missingPrograms(): string | null {
  if (!hasPatroni())
    return `Patroni from ${PATRONI_MIN} on (pip install "patroni[etcd3,psycopg3]")`;
  if (findProgram(["etcd"]) === undefined) return byApt("etcd-server");
  if (spawnSync("haproxy", ["-v"]).status !== 0) return byApt("haproxy");
  return existsSync(BINARIES) ? null : byApt("postgresql-15");
}

async function startEtcd(folder: string) {
  const [port, peerPort] = [await freePort(), await freePort()];
  const [client, peer] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peerPort}`];
  const places = [
    ...["--listen-client-urls", client, "--advertise-client-urls", client],
    ...["--listen-peer-urls", peer, "--initial-advertise-peer-urls", peer],
    ...["--initial-cluster", `default=${peer}`, "--data-dir", join(folder, "etcd")],
  ];
  const running = await startProgram(findProgram(["etcd"]) ?? "", places, () =>
    fetch(`${client}/health`).then(({ ok }) => ok),
  );
  return { ...running, port };
}

async function makeMember(folder: string, name: string, etcdPort: number): Promise<Member> {
  const member = new Member(name, folder, await freePort(), await freePort());
  const text = readFileSync(join(files, "patroni.yaml"), "utf8")
    .replace("name: db-a", `name: ${name}`)
    .replace(/^etcd3:.*$/m, `etcd3: { hosts: "127.0.0.1:${etcdPort}" }`)
    .replaceAll(/(?:0\.0\.0\.0|db-a):8008/g, `127.0.0.1:${member.checkPort}`)
    .replaceAll(/(?:0\.0\.0\.0|db-a):5432/g, `127.0.0.1:${member.port}`)
    .replaceAll("/etc/ssl/relay", folder)
    .replace("/var/lib/postgresql/relay", join(folder, name))
    .replaceAll("10.0.0.0/8", "127.0.0.0/8");
  writeFileSync(join(folder, `${name}.yaml`), text);
  return member;
}

/** The worked set-up's HAProxy, with the address of the database alone. */
async function startBalancer(folder: string, members: readonly Member[]) {
  const port = await freePort();
  const text = readFileSync(join(files, "haproxy.cfg"), "utf8");
  const [head = ""] = text.split("listen primary");
  let part = /listen primary[\s\S]*?(?=listen valkey)/.exec(text)?.[0] ?? "";
  part = part.replace("127.0.0.1:5000", `127.0.0.1:${port}`).replace("port 8008 ", "");
  for (const { name, port: own, checkPort } of members)
    part = part.replace(`${name}:5432`, `127.0.0.1:${own} port ${checkPort}`);
  const file = join(folder, "haproxy.cfg");
  writeFileSync(file, head.replace("maxconn 20000", "maxconn 1000") + part);
  return { ...(await startProgram("haproxy", ["-db", "-f", file], () => there)), port };
}

async function until(holds: () => Promise<boolean>, members: readonly Member[]): Promise<void> {
  for (const since = performance.now(); !(await holds()); await pause(200)) {
    if (performance.now() - since < ROLES_MS_MAX) continue;
    const told = members.map((member) => `${member.name} said:\n${member.told()}`);
    throw new Error(`The members did not get their roles.\n${told.join("\n")}`);
  }
}

/**
 * Until one member is the primary, and the other its synchronous standby. Which one is which may
 * change once more meanwhile, on a machine that is too busy for Patroni's times.
 */
export function untilPaired([first, second]: Patroni["members"]): Promise<void> {
  const isPair = async (primary: Member, other: Member) =>
    (await primary.is("primary")) && (await other.is("synchronous"));
  const holds = async () => (await isPair(first, second)) || (await isPair(second, first));
  return until(holds, [first, second]);
}

export interface Patroni {
  readonly folder: string;
  readonly members: readonly [Member, Member];
  readonly balancerPort: number;
  /** Of the certificate that both members have. */
  readonly certificate: string;
  stop(): Promise<void>;
}

/** Ready with a primary and a synchronous standby. */
export async function startPatroni(): Promise<Patroni> {
  const folder = mkdtempSync(join(tmpdir(), "relay-patroni-"));
  const { cert: certificate } = selfSigned(folder);
  mkdirSync(join(folder, "etcd"), { mode: 0o700 });
  const etcd = await startEtcd(folder);
  const members = [
    await makeMember(folder, "db-a", etcd.port),
    await makeMember(folder, "db-b", etcd.port),
  ] as const;
  if (isRoot) execFileSync("chown", ["-R", "postgres:postgres", folder]);
  const balancer = await startBalancer(folder, members);
  const stop = async () => {
    await Promise.all(members.map((member) => member.vanish()));
    await Promise.all([balancer.stop(), etcd.stop()]);
    rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
  };
  const [first, second] = members;
  try {
    await first.start();
    await until(() => first.is("primary"), [first]);
    await second.start();
    await untilPaired([first, second]);
  } catch (error) {
    await stop();
    throw error;
  }
  return { folder, members: [first, second], balancerPort: balancer.port, certificate, stop };
}
