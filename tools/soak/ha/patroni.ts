/** Two members of Patroni, etcd and HAProxy as processes, by the files of the worked set-up. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findProgram, startProgram } from "@/testing/neighbours/program";
import { selfSigned } from "@/testing/stage/certificate";
import { freePort } from "@/testing/stage/listen";
import { root } from "@/testing/stage/product";
import { Member } from "./member";

const files = join(root, "deploy/ha");
const BINARIES = "/usr/lib/postgresql/15/bin";
const isRoot = process.getuid?.() === 0;
const there = Promise.resolve(true);

/** What this machine lacks for a run; null where everything is here. */
export function missingPrograms(): string | null {
  if (findProgram(["patroni"]) === undefined) return "patroni";
  if (findProgram(["etcd"]) === undefined) return "etcd-server";
  if (spawnSync("haproxy", ["-v"]).status !== 0) return "haproxy";
  return existsSync(BINARIES) ? null : "postgresql-15";
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
    await first.until("primary");
    await second.start();
    await second.until("synchronous");
  } catch (error) {
    await stop();
    throw error;
  }
  return { folder, members: [first, second], balancerPort: balancer.port, certificate, stop };
}
