/**
 * The address of a database as PostgreSQL's own clients read it: one host or several, separated by
 * commas, and `target_session_attrs`.
 */

export interface Host {
  readonly host: string;
  readonly port: number;
}

export interface DatabaseUrl {
  readonly hosts: readonly [Host, ...Host[]];
  /** The same with one host, as the driver takes it. */
  urlOf(host: Host): string;
  readonly database: string;
}

const PORT = 5432;
const FORM =
  /^postgres(?:ql)?:\/\/(?:(?<user>[^/?#]*)@)?(?<hosts>[^/?#@]*)(?<path>\/[^?#]*)?(?:\?(?<query>[^#]*))?$/;
/** What a client may ask for where this product always asks for `read-write`. */
const SESSIONS = ["any", "read-write", "primary"];

const hostPattern = /^(?<host>\[[0-9a-fA-F:.]+\]|[^:[\]]*)(?::(?<port>\d+))?$/;

/** The unreadable part may belong to a password, so it is not shown. */
const UNREADABLE = "has a host or a port that cannot be read; a port is from 1 to 65535";

function hostNamed(text: string, port: string | number): Host {
  const isPort = /^\d{1,5}$/.test(String(port)) && Number(port) >= 1 && Number(port) <= 65_535;
  if (!isPort || /\s/.test(text)) throw new Error(UNREADABLE);
  return { host: text.replaceAll(/[[\]]/g, "") || "localhost", port: Number(port) };
}

function readHost(text: string): Host {
  const { host, port = PORT } = hostPattern.exec(text)?.groups ?? {};
  if (host === undefined) throw new Error(UNREADABLE);
  return hostNamed(decodeURIComponent(host), port);
}

/** The parameters `host`, such as the folder of a socket, and `port` count more. One port is that of all hosts. */
function hostsOf(query: URLSearchParams, authority: string): readonly Host[] {
  if (query.has("hostaddr"))
    throw new Error("has hostaddr, which is not read: name it as the host");
  const before = authority.split(",").map(readHost);
  const names = query.get("host")?.split(",") ?? before.map(({ host }) => host);
  const ports = query.get("port")?.split(",") ?? [];
  if (ports.length > 1 && ports.length !== names.length)
    throw new Error(`names ${ports.length} ports for ${names.length} hosts`);
  return names.map((name, n) =>
    hostNamed(name, (ports[n] ?? ports[0]) || before[n]?.port || before[0]?.port || PORT),
  );
}

function isEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return !text.includes("@");
  } catch {
    return false;
  }
}

/** Throws an error whose message says why, after the name of a setting, and has nothing secret. */
export function readDatabaseUrl(url: string): DatabaseUrl {
  if (!/^postgres(ql)?:\/\//.test(url))
    throw new Error("must be a URL that starts with postgres:// or postgresql://");
  const {
    user = "",
    hosts: authority = "",
    path = "",
    query: parameters = "",
  } = FORM.exec(url)?.groups ?? {};
  const isWhole = FORM.test(url) && [user, authority, path, parameters].every(isEncoded);
  if (!isWhole)
    throw new Error(
      "cannot be read: in a user, a password and a database's name, each of / ? # @ % must be written as %2F %3F %23 %40 %25",
    );
  const query = new URLSearchParams(parameters);
  const session = query.get("target_session_attrs") ?? "any";
  if (!SESSIONS.includes(session))
    throw new Error(
      `has a target_session_attrs that is not one of ${SESSIONS.join(", ")}; it may be absent`,
    );
  const [first, ...others] = hostsOf(query, authority);
  if (first === undefined) throw new Error("names no host");
  const database = query.get("dbname") ?? decodeURIComponent(path.slice(1));
  for (const name of ["target_session_attrs", "host", "port", "dbname"]) query.delete(name);
  return {
    hosts: [first, ...others],
    database,
    urlOf: (host) =>
      urlOf(host, user === "" ? "" : `${user}@`, `/${encodeURIComponent(database)}`, query),
  };
}

function urlOf({ host, port }: Host, user: string, path: string, query: URLSearchParams): string {
  const isSocket = host.startsWith("/");
  const name = isSocket ? "localhost" : host.includes(":") ? `[${host}]` : host;
  const parameters = new URLSearchParams(query);
  if (isSocket) parameters.set("host", host);
  const end = parameters.size === 0 ? "" : `?${parameters}`;
  return `postgresql://${user}${name}:${port}${path}${end}`;
}

/** The places that it names, for a message. */
export const placesOf = ({ hosts }: DatabaseUrl): string =>
  hosts.map(({ host, port }) => `${host}:${port}`).join(", ");
