/**
 * Callbacks to names whose addresses change: public at one look-up, this machine at the next. A
 * connection to the trap on this machine is a fault. Bound: 12 videos (brief: 3), 60 s.
 */
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { createServer } from "node:net";
import { pause } from "@/lib/timing/pause";
import { listen } from "@/testing/stage/listen";
import type { Attack } from "../attack";
import { request } from "../requests";
import { exchange } from "../wire";

const HEADER_BYTES = 12;
const A = 1;
const AAAA = 28;
const INSIDE = Buffer.from([127, 0, 0, 1]);
/** Counts as public, and nobody has it. */
const OUTSIDE = Buffer.from([0x20, 0, ...new Array<number>(13).fill(0), 1]);
const LOOKED_UP_MS = 60_000;

/** The answer to a question of one name and type, with one address or none. */
function answerTo(question: Buffer, type: number, address: Buffer | null): Buffer {
  const head = Buffer.from(question.subarray(0, HEADER_BYTES));
  head.writeUInt16BE(0x8400, 2);
  head.writeUInt16BE(address === null ? 0 : 1, 6);
  head.fill(0, 8);
  const end = question.indexOf(0, HEADER_BYTES) + 5;
  const asked = question.subarray(HEADER_BYTES, end);
  if (address === null) return Buffer.concat([head, asked]);
  // The name of the question, the type, the class, no time to live, the length.
  const record = Buffer.from([0xc0, HEADER_BYTES, 0, type, 0, 1, 0, 0, 0, 0, 0, address.length]);
  return Buffer.concat([head, asked, record, address]);
}

/** Answers each name in turn with a public address, with this machine's, and with both. */
async function openResolver(port: number) {
  const socket = createSocket("udp4");
  const asked = new Map<string, number>();
  let count = 0;
  socket.on("message", (question, from) => {
    const end = question.indexOf(0, HEADER_BYTES);
    const type = question.readUInt16BE(end + 1);
    const name = `${type} ${question.toString("latin1", HEADER_BYTES, end)}`;
    const turn = (asked.get(name) ?? 0) % 3;
    asked.set(name, turn + 1);
    count++;
    const six = turn === 1 ? null : OUTSIDE;
    const four = turn === 0 ? null : INSIDE;
    const address = type === AAAA ? six : type === A ? four : null;
    socket.send(answerTo(question, type, address), from.port, from.address);
  });
  socket.bind(port, "127.0.0.1");
  await once(socket, "listening");
  return { asked: () => count, close: () => socket.close() };
}

export const rebinding: Attack = {
  name: "rebinding",
  what: "callbacks to names that are public at one look-up and this machine at the next",
  async run({ target, apiKey, resolverPort, isBrief }, tally) {
    if (resolverPort === null) return;
    const resolver = await openResolver(resolverPort);
    let caught = 0;
    const server = createServer((socket) => {
      caught++;
      socket.destroy();
    });
    const trap = await listen(server);
    const videos = isBrief ? 3 : 12;
    for (let video = 0; video < videos; video++) {
      const body = {
        model: "super-relay",
        content: [{ type: "text", text: "A fox --rs 480p --dur 5" }],
        callback_url: `http://v${video}.rebind.test:${trap.port}/`,
      };
      const headers = { authorization: `Bearer ${apiKey}` };
      const path = "/v1/contents/generations/tasks";
      tally.sending();
      const sent = [request(target, "POST", path, headers, body)];
      tally.settle(await exchange(target, sent), "a task with a callback");
    }
    // Each name in each of its three states, in both types.
    const wanted = videos * 6;
    for (const until = Date.now() + LOOKED_UP_MS; Date.now() < until; await pause(200))
      if (resolver.asked() >= wanted || caught > 0) break;
    if (resolver.asked() === 0) tally.fault("no name was looked up");
    if (caught > 0) tally.fault(`${caught} connections to this machine`);
    resolver.close();
    await trap.close();
  },
};
