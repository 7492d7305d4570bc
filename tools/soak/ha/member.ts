import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { findProgram, type Running, startProgram } from "@/testing/neighbours/program";
import { processTree, signal } from "@/testing/stage/processes";

const isRoot = process.getuid?.() === 0;
const there = Promise.resolve(true);

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

  /** The last lines of Patroni's own log, without PostgreSQL's and the tracebacks of aborted requests. */
  told(): string {
    const lines = this.#running?.output().split("\n") ?? [];
    return lines
      .filter((line) =>
        / (INFO|WARNING|ERROR|FATAL): (?!Exception|Traceback|establishing)/.test(line),
      )
      .slice(-20)
      .join("\n");
  }

  async query(text: string): Promise<void> {
    const connectionString = `postgresql://postgres:CHANGE_ME@127.0.0.1:${this.port}/postgres`;
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
