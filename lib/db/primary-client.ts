/**
 * A connection to the server that takes writes. Each connection of the product is one: it refuses a
 * server that is a standby or read-only, and is dropped when its server becomes so.
 */
import pg from "pg";
import { errorCode } from "../failures/relay-error";
import { type DatabaseUrl, type Host, readDatabaseUrl } from "../net/database-url";
import { isReadOnly, RefusedServer } from "./database-errors";
import { admit } from "./lineage";
import { type Bounds, sessionColumns } from "./session-settings";

const ENTER_MS = 3000;
const PROBE_MS = 2000;
/** An attempt to connect without an answer for so long is not the only one any more. */
const SLOW_MS = 500;
/** An attempt that began so long before one that was answered hangs: a busy machine answers in turn. */
const HANGS_MS = 1500;

declare global {
  // Next bundles several copies of this module; all share the map. A copy cannot read the `#` fields of another's clients.
  var relayConnections: Map<PrimaryClient, string> | undefined;
}

/** The open connections of this process, each with its address as it is set. */
globalThis.relayConnections ??= new Map();
const open = globalThis.relayConnections;

/** Attempts to connect that have no answer yet, with the moment when each began. */
const opening = new Map<PrimaryClient, number>();

/** Of addresses with several hosts: the one that last took writes. */
const found = new Map<string, Host>();

const isCallback = (value: unknown): value is (...answer: unknown[]) => void =>
  typeof value === "function";

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

async function findPrimary(
  key: string,
  address: DatabaseUrl,
  config: pg.ClientConfig,
): Promise<Host> {
  const known = found.get(key);
  if (known !== undefined) return known;
  const errors: unknown[] = [];
  const asked = address.hosts.map(async (host) => {
    const probe = new PrimaryClient(
      { ...config, connectionString: address.urlOf(host), connectionTimeoutMillis: PROBE_MS },
      key,
    );
    try {
      await probe.connect();
      return host;
    } catch (error) {
      errors.push(error);
      throw error;
    } finally {
      probe.end().catch(() => {});
    }
  });
  const host = await Promise.any(asked).catch(() => {
    const text = errors.map(messageOf).join("; ");
    throw Object.assign(new Error(`no host takes writes: ${text}`), { code: errorCode(errors[0]) });
  });
  found.set(key, host);
  return host;
}

interface EnteredServer {
  readonly isStandby: boolean;
  readonly isReadOnly: boolean;
  /** Triggers, by which the database keeps the rules of the books. */
  readonly hasTriggers: boolean;
}

export class PrimaryClient extends pg.Client {
  declare readonly connection: pg.Connection;
  declare private readonly connectionParameters: Bounds & { database: string };
  readonly #key: string;
  readonly #address: DatabaseUrl | null;
  readonly #config: pg.ClientConfig;
  readonly #settings: readonly string[];

  /** `key`: the address as it is set, where `config` has one host of it. */
  constructor(config: pg.ClientConfig = {}, key?: string) {
    const { connectionString: url } = config;
    const address = url === undefined ? null : readDatabaseUrl(url);
    super(
      address === null ? config : { ...config, connectionString: address.urlOf(address.hosts[0]) },
    );
    this.#key = key ?? url ?? "";
    this.#address = address;
    this.#config = config;
    // The driver leaves some characters of its name encoded.
    if (address !== null && address.database !== "")
      this.connectionParameters.database = address.database;
    this.#settings = sessionColumns(this.connectionParameters);
    // The running query rejects as well; without a listener a lost connection would end the process.
    this.on("error", () => {});
    this.connection.on("errorMessage", (error: unknown) => {
      // After the query has its error.
      if (isReadOnly(error)) setImmediate(() => this.#dropAll("the server has become read-only"));
    });
    this.once("end", () => this.#leave());
  }

  override connect(): Promise<pg.Client>;
  override connect(
    callback: ((error: Error) => void) | ((error: null, client: pg.ClientBase) => void),
  ): void;
  override connect(callback?: unknown): unknown {
    const opened = this.#open();
    if (!isCallback(callback)) return opened;
    opened.then(
      () => process.nextTick(callback, null, this),
      (error: unknown) => process.nextTick(callback, error),
    );
  }

  /** Closes the connection at once, whatever runs on it. A pool takes it out. */
  drop(reason: string): void {
    this.#leave();
    const { stream } = this.connection;
    // The driver listens only once it connects; before that the error would end the process.
    stream.once("error", () => {});
    stream.destroy(new Error(`Connection terminated: ${reason}`));
  }

  async #open(): Promise<pg.Client> {
    try {
      if (this.#address !== null && this.#address.hosts.length > 1) {
        const { host, port } = await findPrimary(this.#key, this.#address, this.#config);
        this.host = host;
        this.port = port;
        const { errored } = this.connection.stream;
        if (errored !== null) throw errored;
      }
      await this.#connectWatched();
      // Others wait for the judgement of this connection.
      const patience = setTimeout(() => this.drop("it gave no answer"), ENTER_MS);
      await this.#enter().finally(() => clearTimeout(patience));
    } catch (error) {
      found.delete(this.#key);
      this.connection.stream.destroy();
      throw error;
    }
    open.set(this, this.#key);
    return this;
  }

  /**
   * A balancer may hold an attempt for seconds that began when no server took writes. Others go
   * beside it, and when one of them is answered, those that wait are given up.
   */
  async #connectWatched(): Promise<void> {
    const began = performance.now();
    opening.set(this, began);
    const asking = setInterval(() => lookForPrimary(this.#key), SLOW_MS);
    try {
      await super.connect();
    } finally {
      clearInterval(asking);
      opening.delete(this);
    }
    for (const [client, since] of opening)
      if (client.#key === this.#key && began - since >= HANGS_MS)
        client.drop("a later connection was answered");
  }

  async #enter(): Promise<void> {
    const columns = [
      ...this.#settings,
      `pg_is_in_recovery() as "isStandby"`,
      `current_setting('default_transaction_read_only') = 'on' as "isReadOnly"`,
      `current_setting('session_replication_role') = 'origin' as "hasTriggers"`,
    ];
    const { rows } = await this.query<EnteredServer>(`select ${columns.join(", ")}`);
    const place = `${this.host}:${this.port}`;
    if (rows[0]?.isStandby) throw new RefusedServer(`the server at ${place} is a standby`);
    if (rows[0]?.isReadOnly) throw new RefusedServer(`the server at ${place} is read-only`);
    if (!rows[0]?.hasTriggers)
      throw new RefusedServer(
        `the server at ${place} has another session_replication_role for this role than origin`,
      );
    if (await admit(this.#key, this, place)) this.#dropAll("the primary has changed");
  }

  /** Drops the open connections to this address. Each is then opened, and checked, anew. */
  #dropAll(reason: string): void {
    for (const [client, key] of [...open]) if (key === this.#key) client.drop(reason);
  }

  #leave(): void {
    open.delete(this);
    found.delete(this.#key);
  }
}

/** By address: when one was last asked at it. */
const looking = new Map<string, number>();

/**
 * Called when a server gives no answer: asks at the address whether another one has taken over. If
 * so, the connections to the one before are dropped, and the attempts that hang.
 */
export function lookForPrimary(databaseUrl: string): void {
  const now = performance.now();
  // One may hang itself, so that further ones go beside it: as many as begin while it is waited for.
  if (now - (looking.get(databaseUrl) ?? Number.NEGATIVE_INFINITY) < SLOW_MS) return;
  looking.set(databaseUrl, now);
  found.delete(databaseUrl);
  const client = new PrimaryClient({
    connectionString: databaseUrl,
    connectionTimeoutMillis: PROBE_MS,
  });
  const leave = () => client.end().catch(() => {});
  client.connect().then(leave, leave);
}
