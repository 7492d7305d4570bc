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

function readHost(text: string): Host {
  const { host, port = PORT } = hostPattern.exec(text)?.groups ?? {};
  // What stands there may be a part of a password.
  if (host === undefined || !(Number(port) >= 1 && Number(port) <= 65_535))
    throw new Error("has a host or a port that cannot be read; a port is from 1 to 65535");
  const name = decodeURIComponent(host.replaceAll(/[[\]]/g, ""));
  return { host: name || "localhost", port: Number(port) };
}

/** Those of the parameters `host` and `port`, such as the folder of a socket. */
function hostsOf(query: URLSearchParams, authority: string): readonly Host[] {
  const before = authority.split(",").map(readHost);
  const named = query.get("host");
  if (named === null) return before;
  const ports = (query.get("port") ?? "").split(",");
  const portOf = (n: number) => Number(ports[n] || ports[0]) || before[0]?.port || PORT;
  return named.split(",").map((host, n) => ({ host, port: portOf(n) }));
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
  const isWhole = FORM.test(url) && [user, path, parameters].every(isEncoded);
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
  for (const name of ["target_session_attrs", "host", "port"]) query.delete(name);
  return {
    hosts: [first, ...others],
    database: decodeURIComponent(path.slice(1)),
    urlOf: (host) => urlOf(host, user === "" ? "" : `${user}@`, path, query),
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
