import { createServer } from "node:http";
import { networkInterfaces } from "node:os";
import { expect, test } from "vitest";
import { listen } from "@/testing/stage/listen";
import { listenAtOtherLoopback } from "./other-loopback";

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === "::1"),
);

test.runIf(hasIpv6)("a server at 127.0.0.1 answers at ::1, too", async () => {
  const server = createServer((_, response) => response.end("here"));
  const { port, close } = await listen(server);
  const second = await listenAtOtherLoopback(server, port, "127.0.0.1");
  expect(await (await fetch(`http://[::1]:${port}/`)).text()).toBe("here");
  second?.close();
  await close();
});

test("a server at another address, and one whose other address is taken, has none", async () => {
  const server = createServer();
  const { port, close } = await listen(server);
  expect(await listenAtOtherLoopback(server, port, "0.0.0.0")).toBeNull();
  expect(await listenAtOtherLoopback(server, port, "::1")).toBeNull();
  await close();
});
