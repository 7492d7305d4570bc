import { once } from "node:events";
import { connect, Socket } from "node:net";
import { afterEach, expect, test, vi } from "vitest";
import { listen } from "@/testing/stage/listen";
import { createWebServer } from "./web-server";

async function* ready() {
  yield "first ";
  yield "second";
}

let release = () => {};
async function* late() {
  await new Promise<void>((resolve) => {
    release = resolve;
  });
  yield "late";
}

const headers = { "content-type": "text/plain" };
const web = createWebServer({
  find: () => async (incoming) => ({
    status: 200,
    headers,
    body: incoming.path === "/v1/ready" ? ready() : late(),
  }),
  answerPage: async (_request, response) => void response.end(),
  report: () => {},
});

afterEach(() => {
  vi.restoreAllMocks();
  web.server.close().closeAllConnections();
});

test("the head of a stream leaves in one write with what is ready, and alone when nothing is", async () => {
  const { port } = await listen(web.server);
  const single = vi.spyOn(Socket.prototype, "_write");
  const gathered = vi.spyOn(Socket.prototype, "_writev");
  const writes = () =>
    [...single.mock.contexts, ...gathered.mock.contexts].filter(
      (socket) => socket instanceof Socket && socket.localPort === port,
    );
  const ask = async (path: string) => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`GET ${path} HTTP/1.1\r\nhost: a\r\n\r\n`);
    const [part] = await once(socket, "data");
    return String(part);
  };
  expect(await ask("/v1/ready")).toMatch(/^HTTP\/1\.1 200 .*first .*second.*\n0\r\n\r\n$/s);
  expect(writes()).toHaveLength(1);
  expect(await ask("/v1/late")).toMatch(/^HTTP\/1\.1 200 .*[^0]\r\n\r\n$/s);
  release();
});
