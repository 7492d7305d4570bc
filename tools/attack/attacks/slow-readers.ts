/**
 * Clients that request much and read nothing: the server must not buffer all of it. Bound: 150
 * connections, 20 s (brief: 20 connections, 3 s).
 */
import type { Attack, Means, Tally } from "../attack";
import { head, request } from "../requests";
import { openSocket, writeAll } from "../wire";

const SIP_MS = 100;

async function askAndLeave(
  means: Means,
  tally: Tally,
  label: string,
  bytes: Buffer,
  requestsEach: number,
): Promise<void> {
  const { target, isBrief } = means;
  const count = isBrief ? 20 : 150;
  const milliseconds = isBrief ? 3_000 : 20_000;
  tally.sending(count * requestsEach);
  const one = async () => {
    const socket = openSocket(target);
    // Nothing is read: the kernel's buffers fill up, and then the server has to wait.
    socket.pause();
    await new Promise<void>((resolve) => {
      const leave = () => {
        clearTimeout(timer);
        tally.count(socket.destroyed ? "cut off" : "left open");
        socket.destroy();
        resolve();
      };
      const timer = setTimeout(leave, milliseconds);
      socket.once("close", leave);
      socket.once(
        "connect",
        () => void writeAll(socket, new Array<Buffer>(requestsEach).fill(bytes)),
      );
    });
  };
  await tally.step(label, () => Promise.all(Array.from({ length: count }, one)));
}

export const slowReaders: Attack = {
  name: "slow-readers",
  what: "150 connections that ask for long answers and streams and read none of them",
  async run(means, tally) {
    const { target, apiKey } = means;
    const keyed = { authorization: `Bearer ${apiKey}` };
    await askAndLeave(
      means,
      tally,
      "documents that nobody reads",
      head(target, "GET", "/openapi.json", {}, null),
      100,
    );
    await askAndLeave(
      means,
      tally,
      "pages that nobody reads",
      head(target, "GET", "/docs/api", {}, null),
      20,
    );
    const body = {
      model: "relay-v1",
      messages: [{ role: "user", content: "[[tokens:100000]]" }],
      stream: true,
    };
    await askAndLeave(
      means,
      tally,
      "streams that nobody reads",
      request(target, "POST", "/v1/chat/completions", keyed, body),
      5,
    );
  },
};

/** Reads what has arrived, ten times a second, until the time is over or the server ends. */
async function sip(target: Means["target"], tally: Tally, bytes: Buffer, milliseconds: number) {
  const socket = openSocket(target);
  await new Promise<void>((resolve) => {
    const open = setInterval(() => socket.resume(), SIP_MS);
    const leave = () => {
      clearTimeout(timer);
      clearInterval(open);
      tally.count(socket.destroyed ? "cut off" : "left open");
      socket.destroy();
      resolve();
    };
    const timer = setTimeout(leave, milliseconds);
    socket.on("data", () => socket.pause());
    socket.once("close", leave);
    socket.once("connect", () => socket.write(bytes));
  });
}

export const sippedStreams: Attack = {
  name: "sipped-streams",
  what: "150 streams of many small chunks, each read a little ten times a second",
  async run({ target, apiKey, isBrief }, tally) {
    const body = {
      model: "relay-v1",
      messages: [{ role: "user", content: "[[tokens:4000]]" }],
      stream: true,
    };
    const keyed = { authorization: `Bearer ${apiKey}` };
    const bytes = request(target, "POST", "/v1/chat/completions", keyed, body);
    const count = isBrief ? 20 : 150;
    tally.sending(count);
    const one = () => sip(target, tally, bytes, isBrief ? 3_000 : 20_000);
    await tally.step("sipped streams", () => Promise.all(Array.from({ length: count }, one)));
  },
};
