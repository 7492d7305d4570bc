import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { afterEach, expect, test } from "vitest";
import { cutUnlessComplete } from "./refuse";
import { READ_AT_ONCE_MAX } from "./refused-bodies";

const eventually = <T>(read: () => T) => expect.poll(read, { timeout: 10_000 });

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** A server that refuses every body but does not answer yet, and the requests it received. */
async function refusing() {
  const seen: { request: IncomingMessage; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    seen.push({ request, response });
    cutUnlessComplete(request, response);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  return { seen, port: (server.address() as AddressInfo).port };
}

/** A client that sends endlessly, as fast as the server reads. */
function sendWithoutEnd(port: number): Socket {
  const part = Buffer.alloc(65_536, "a");
  const socket = connect(port, "127.0.0.1").on("error", () => {});
  socket.write("POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 1000000000000\r\n\r\n");
  const more = () => {
    while (!socket.destroyed && socket.write(part));
  };
  socket.on("connect", more).on("drain", more);
  closers.push(() => socket.destroy());
  return socket;
}

const bytesRead = ({ request }: { request: IncomingMessage }) => request.socket.bytesRead;

test("only a few of many refused bodies are read at once, in turn, and answered ones free their places", async () => {
  const { seen, port } = await refusing();
  for (let count = 0; count < 8; count++) sendWithoutEnd(port);
  await eventually(() => seen.length).toBe(8);
  expect(seen.filter(({ request }) => request.readableFlowing).length).toBeLessThanOrEqual(
    READ_AT_ONCE_MAX,
  );
  const before = seen.map(bytesRead);
  await eventually(() =>
    seen.every((each, index) => bytesRead(each) > (before[index] as number) + 1e6),
  ).toBe(true);
  for (const { response } of seen.slice(0, 7)) response.writeHead(413).end();
  await eventually(() => seen.filter(({ response }) => response.closed).length).toBe(7);
  const last = seen[7] as (typeof seen)[number];
  const then = bytesRead(last);
  await eventually(() => bytesRead(last)).toBeGreaterThan(then + 1e6);
});
