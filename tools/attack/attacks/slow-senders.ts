/**
 * Slow clients: bodies of 30 MiB that stop before their end, heads that never end, silent
 * connections, more connections than an address may have. Bound: 200 connections (the flood:
 * 2,000), half a minute.
 */
import type { Socket } from "node:net";
import { pause } from "@/lib/timing/pause";
import type { Attack, Means, Tally } from "../attack";
import { type Headers, head, JSON_HEADERS, MEBIBYTE, repeated } from "../requests";
import { AnswerReader, openSocket, writeAll } from "../wire";

const BODY_BYTES = 30 * MEBIBYTE;
/** The server disconnects a slow sender within 30 s. */
const FULL_MS = 33_000;
const BRIEF_MS = 4_000;
const TRICKLE_MS = 500;

/**
 * Opens a connection, lets `talk` send, and counts what comes back until the time is over.
 * `trickle` is sent twice a second.
 */
async function linger(
  means: Means,
  tally: Tally,
  reproduction: string,
  milliseconds: number,
  talk: (socket: Socket) => Promise<void>,
) {
  const socket = openSocket(means.target);
  let answered = 0;
  const reader = new AnswerReader((answer) => {
    answered++;
    tally.judge(answer, reproduction);
  });
  socket.on("data", (part) => reader.push(part));
  const closed = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  socket.once("connect", () => void talk(socket));
  await Promise.race([closed, pause(milliseconds)]);
  if (answered === 0) tally.count(socket.destroyed ? "cut off" : "left open");
  socket.destroy();
}

async function trickle(socket: Socket, text: string): Promise<void> {
  while (!socket.destroyed && socket.writable) {
    await pause(TRICKLE_MS);
    if (socket.writable) socket.write(text);
  }
}

function uploads(
  means: Means,
  tally: Tally,
  count: number,
  path: string,
  headers: Headers,
): Promise<unknown> {
  const { target, isBrief } = means;
  const start = head(target, "POST", path, { ...JSON_HEADERS, ...headers }, BODY_BYTES);
  const pieces = [start, ...repeated('{"prompt":"', "a", "", BODY_BYTES - 4096)];
  tally.sending(count);
  const talk = async (socket: Socket) => {
    await writeAll(socket, pieces);
    await trickle(socket, "a");
  };
  const each = () =>
    linger(means, tally, `a slow body to ${path}`, isBrief ? BRIEF_MS : FULL_MS, talk);
  return tally.step(`${count} slow bodies to ${path}`, () =>
    Promise.all(Array.from({ length: count }, each)),
  );
}

export const slowBodiesAttack: Attack = {
  name: "slow-bodies",
  what: "25, then 150 uploads of 30 MiB that stop just before their end",
  async run(means, tally) {
    const headers = { authorization: `Bearer ${means.apiKey}` };
    await uploads(means, tally, 25, "/v1/images/generations", headers);
    if (!means.isBrief) await uploads(means, tally, 150, "/v1/videos/generations", headers);
  },
};

export const slowPagesAttack: Attack = {
  name: "slow-pages-bodies",
  what: "the same to the pages' API, without a session",
  async run(means, tally) {
    const { origin, isBrief } = means;
    await uploads(means, tally, isBrief ? 10 : 50, "/api/auth/callback/credentials", { origin });
    if (!isBrief) await uploads(means, tally, 50, "/api/sign-up", { origin });
  },
};

export const slowHeadsAttack: Attack = {
  name: "slow-heads",
  what: "190 connections whose head never ends, and 190 that say nothing",
  async run(means, tally) {
    const { isBrief, target } = means;
    const milliseconds = isBrief ? BRIEF_MS : FULL_MS;
    const opens = [`GET /v1/models HTTP/1.1\r\nhost: ${target.authority}\r\n`, ""];
    for (const text of opens) {
      tally.sending(190);
      const talk = async (socket: Socket) => {
        socket.write(text);
        if (text !== "") await trickle(socket, "x-slow: yes\r\n");
      };
      const all = Array.from({ length: 190 }, () =>
        linger(means, tally, "a head without an end", milliseconds, talk),
      );
      await tally.step(text === "" ? "connections that say nothing" : "heads without an end", () =>
        Promise.all(all),
      );
    }
  },
};

export const connectionsAttack: Attack = {
  name: "connections",
  what: "2,000 connections from one address, opened and left",
  async run(means, tally) {
    const { isBrief, target, apiKey } = means;
    const request = head(target, "GET", "/v1/balance", { authorization: `Bearer ${apiKey}` }, null);
    const count = isBrief ? 400 : 2000;
    tally.sending(count);
    const talk = async (socket: Socket) => void socket.write(request);
    const all: Promise<void>[] = [];
    for (let index = 0; index < count; index++) {
      all.push(
        linger(means, tally, "one of very many connections", isBrief ? BRIEF_MS / 2 : 8000, talk),
      );
      if (index % 50 === 49) await pause(20);
    }
    await tally.step("connections", () => Promise.all(all));
  },
};
