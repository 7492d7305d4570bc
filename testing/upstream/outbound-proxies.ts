/** Outbound proxies for tests: they connect to any port of this machine, and note what they were asked. */
import { createServer as createHttpServer } from "node:http";
import { connect, createServer, type Server, type Socket } from "node:net";
import { listen } from "../stage/listen";

export interface OutboundProxy {
  readonly port: number;
  /** `host:port` of each tunnel. */
  readonly tunnels: string[];
  close(): Promise<void>;
}

/** Where a credential is expected, any other is refused. */
interface Expected {
  readonly user: string;
  readonly password: string;
}

function join(one: Socket, other: Socket): void {
  one.pipe(other).pipe(one);
  for (const [socket, partner] of [
    [one, other],
    [other, one],
  ] as const)
    socket.on("error", () => partner.destroy()).on("close", () => partner.destroy());
}

const open = (port: number, opened: (socket: Socket) => void) =>
  connect(port, "127.0.0.1", function ready(this: Socket) {
    opened(this);
  }).on("error", () => {});

async function started(server: Server, tunnels: string[]): Promise<OutboundProxy> {
  server.on("connection", (socket: Socket) => void socket.on("error", () => {}));
  const { port, close } = await listen(server);
  return { port, tunnels, close };
}

export function startConnectProxy(expected: Expected | null = null): Promise<OutboundProxy> {
  const tunnels: string[] = [];
  const server = createHttpServer();
  const wanted =
    expected && `Basic ${Buffer.from(`${expected.user}:${expected.password}`).toString("base64")}`;
  server.on("connect", ({ url = "", headers }, client: Socket) => {
    if (wanted !== null && headers["proxy-authorization"] !== wanted) {
      client.end("HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n");
      return;
    }
    tunnels.push(url);
    open(Number(url.split(":").at(-1)), (target) => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      join(client, target);
    });
  });
  return started(server, tunnels);
}

const VERSION = 5;
const NO_METHOD = 255;

/** The next bytes that come, which one piece brings in tests. */
const next = (socket: Socket) =>
  new Promise<Buffer>((resolve) => {
    socket.once("data", resolve);
  });

async function serveSocks(client: Socket, expected: Expected | null, tunnels: string[]) {
  await next(client);
  client.write(Buffer.from([VERSION, expected === null ? 0 : 2]));
  if (expected !== null) {
    const said = await next(client);
    const [user, password] = [Buffer.from(expected.user), Buffer.from(expected.password)];
    const wanted = [[1, user.length], user, [password.length], password].map((part) =>
      Buffer.from(part),
    );
    const isRight = said.equals(Buffer.concat(wanted));
    client.write(Buffer.from([1, isRight ? 0 : NO_METHOD]));
    if (!isRight) return client.end();
  }
  const asked = await next(client);
  // A name has its length before it; an address of version 4 has four bytes.
  const isName = asked[3] === 3;
  const at = isName ? 5 + (asked[4] ?? 0) : 8;
  const host = isName ? asked.toString("latin1", 5, at) : [...asked.subarray(4, 8)].join(".");
  const port = asked.readUInt16BE(at);
  tunnels.push(`${host}:${port}`);
  open(port, (target) => {
    client.write(Buffer.from([VERSION, 0, 0, 1, 0, 0, 0, 0, 0, 0]));
    join(client, target);
  });
}

export function startSocksProxy(expected: Expected | null = null): Promise<OutboundProxy> {
  const tunnels: string[] = [];
  const server = createServer((client) => void serveSocks(client, expected, tunnels));
  return started(server, tunnels);
}
