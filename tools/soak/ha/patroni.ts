/** Two members of Patroni, etcd and HAProxy as processes, by the files of the worked set-up. */
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { pause } from "@/lib/timing/pause";
import { findProgram, type Running, startProgram } from "@/testing/neighbours/program";
import { selfSigned } from "@/testing/stage/certificate";
import { freePort } from "@/testing/stage/listen";
import { processTree, signal } from "@/testing/stage/processes";
import { root } from "@/testing/stage/product";

const files = join(root, "deploy/ha");
const BINARIES = "/usr/lib/postgresql/15/bin";
const START_MS = 240_000;
const isRoot = process.getuid?.() === 0;
const there = Promise.resolve(true);

/** What this machine lacks for a run; null where everything is here. */
export function missingPrograms(): string | null {
  if (findProgram(["patroni"]) === undefined) return "patroni";
  if (findProgram(["etcd"]) === undefined) return "etcd-server";
  if (spawnSync("haproxy", ["-v"]).status !== 0) return "haproxy";
  return existsSync(BINARIES) ? null : "postgresql-15";
}

/** One machine of the worked set-up: Patroni, and the PostgreSQL that it starts. */
export class Member {
  #running: Running | null = null;

  constructor(
    readonly name: string,
    readonly folder: string,
    readonly port: number,
    readonly checkPort: number,
  ) {}

  get #data(): string {
    return join(this.folder, this.name);
  }

  async start(): Promise<void> {
    const [program, file] = [findProgram(["patroni"]) ?? "", `${this.#data}.yaml`];
    // PostgreSQL does not run as root.
    const asUser = ["--reuid=postgres", "--regid=postgres", "--clear-groups", program, file];
    const [path, words] = isRoot ? ["setpriv", asUser] : [program, [file]];
    this.#running = await startProgram(path, words, () => there, { HOME: this.folder });
  }

  /** As its REST interface says, which the balancer asks. */
  async is(role: "primary" | "synchronous"): Promise<boolean> {
    const answer = await fetch(`http://127.0.0.1:${this.checkPort}/${role}`, {
      signal: AbortSignal.timeout(1000),
    }).catch(() => null);
    await answer?.text().catch(() => {});
    return answer?.status === 200;
  }

  async until(role: "primary" | "synchronous"): Promise<void> {
    for (const since = performance.now(); !(await this.is(role)); await pause(20))
      if (performance.now() - since > START_MS)
        throw new Error(`${this.name} did not become ${role}:\n${this.#told()}`);
  }

  /** What Patroni said last; PostgreSQL says more. */
  #told(): string {
    const lines = this.#running?.output().split("\n") ?? [];
    return lines
      .filter((line) => /INFO|WARNING|ERROR|FATAL/.test(line))
      .slice(-20)
      .join("\n");
  }

  async query(text: string, database = "postgres"): Promise<void> {
    const connectionString = `postgresql://postgres:CHANGE_ME@127.0.0.1:${this.port}/${database}`;
    const client = new pg.Client({ connectionString, connectionTimeoutMillis: 2000 });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(text);
    } finally {
      await client.end().catch(() => {});
    }
  }

  commits(): Promise<boolean> {
    const asked = this.query("insert into commits values (now())");
    return asked.then(
      () => true,
      () => false,
    );
  }

  /** Its database's first process; null while there is none. */
  get databasePid(): number | null {
    const file = join(this.#data, "postmaster.pid");
    return existsSync(file) ? Number(readFileSync(file, "utf8").split("\n")[0]) : null;
  }

  get #database(): readonly number[] {
    return this.databasePid === null ? [] : processTree(this.databasePid);
  }

  signalDatabase(name: NodeJS.Signals): void {
    signal(this.#database, name);
  }

  signalAll(name: NodeJS.Signals): void {
    const own = this.#running?.child.pid;
    signal([...(own === undefined ? [] : processTree(own)), ...this.#database], name);
  }

  /** As a machine that loses its power. */
  async vanish(): Promise<void> {
    this.signalAll("SIGKILL");
    await this.#running?.stop();
  }

  /** As an operator with `patronictl switchover`. */
  async handOver(to: Member): Promise<void> {
    const answer = await fetch(`http://127.0.0.1:${this.checkPort}/switchover`, {
      method: "POST",
      body: JSON.stringify({ leader: this.name, candidate: to.name }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`Patroni did not switch over: ${text}`);
  }
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
