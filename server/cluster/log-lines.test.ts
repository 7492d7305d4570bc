/** Several processes write to one log: every line stays whole. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { copyLines } from "./log-lines";

const MEBIBYTE = 1024 * 1024;
/** Characters of one, two, three and four bytes. */
const TEXT = "aé水🦊";

interface Joined {
  readonly to: PassThrough;
  bytes(): Buffer;
  lines(): string[];
}

function joined(): Joined {
  const to = new PassThrough();
  const parts: Buffer[] = [];
  to.on("data", (part: Buffer) => parts.push(part));
  const bytes = () => Buffer.concat(parts);
  // Throws where a character was cut.
  const text = () => new TextDecoder("utf-8", { fatal: true }).decode(bytes());
  return { to, bytes, lines: () => text().split("\n").slice(0, -1) };
}

/** A source whose writes arrive one by one, as they are. */
function source({ to }: Joined): {
  write(part: string | Buffer): Promise<void>;
  end(): Promise<unknown>;
} {
  const from = new PassThrough({ highWaterMark: 8 * MEBIBYTE });
  copyLines(from, to);
  return {
    write: (part) => new Promise((resolve) => from.write(part, () => setImmediate(resolve))),
    end: async () => {
      from.end();
      await once(from, "end");
    },
  };
}

/** Writes numbered lines in pieces of 1 to 40 bytes, and every tenth time several lines at once. */
const writer = (name: string, count: number) => `
  const { writeSync } = require("node:fs");
  const { setTimeout: pause } = require("node:timers/promises");
  const line = (n) => JSON.stringify({ name: "${name}", n, text: "${TEXT}".repeat(n % 7) }) + "\\n";
  (async () => {
    for (let n = 0; n < ${count}; n += 10) {
      writeSync(1, line(n) + line(n + 1) + line(n + 2));
      for (let own = n + 3; own < n + 10; own++) {
        const bytes = Buffer.from(line(own));
        for (let at = 0, size = 1; at < bytes.length; at += size, size = 1 + ((at * 7 + own) % 40)) {
          writeSync(1, bytes.subarray(at, at + size));
          if ((at + own) % 3 === 0) await pause(0);
        }
      }
    }
  })();
`;

function run(script: string, { to }: Joined): ChildProcess {
  const child = spawn(process.execPath, ["-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  copyLines(child.stdout as NonNullable<typeof child.stdout>, to);
  return child;
}

test("lines that two processes write in pieces, or several at once, arrive whole and in order", async () => {
  const log = joined();
  const children = ["one", "two"].map((name) => run(writer(name, 300), log));
  await Promise.all(children.map((child) => once(child, "close")));
  const lines = log.lines().map((line) => JSON.parse(line));
  for (const name of ["one", "two"]) {
    const own = lines.filter((line) => line.name === name);
    expect(own.map(({ n }) => n)).toEqual(Array.from({ length: 300 }, (_, n) => n));
    expect(own.every(({ n, text }) => text === TEXT.repeat(n % 7))).toBe(true);
  }
  expect(lines).toHaveLength(600);
  const changes = lines.filter(({ name }, place) => name !== lines[place - 1]?.name).length;
  expect(changes).toBeGreaterThan(2);
}, 30_000);

test("the line that a killed process has begun does not swallow the next one of another", async () => {
  const log = joined();
  const other = source(log);
  const child = run(
    `process.stdout.write('{"whole":1}\\n{"begun'); setInterval(() => {}, 1000);`,
    log,
  );
  await expect.poll(() => log.lines()).toEqual(['{"whole":1}']);
  child.kill("SIGKILL");
  await once(child, "close");
  await other.write('{"next":1}\n');
  expect(log.lines()).toEqual(['{"whole":1}', '{"begun', '{"next":1}']);
});

test("a last line without its end gets one; nothing is added to a whole one", async () => {
  const log = joined();
  const [first, second, silent] = [source(log), source(log), source(log)];
  await first.write("last");
  await first.end();
  await second.write("whole\n");
  await second.end();
  await silent.end();
  expect(log.bytes().toString()).toBe("last\nwhole\n");
});

test("a character that arrives in two writes stays one", async () => {
  const log = joined();
  const [one, other] = [source(log), source(log)];
  for (const byte of Buffer.from(`${TEXT}\n`)) {
    await one.write(Buffer.from([byte]));
    await other.write("-\n");
  }
  expect(log.lines().filter((line) => line !== "-")).toEqual([TEXT]);
});

test.each([0, 1, 2, 3])(
  "a line of megabytes is cut into lines, between characters, %i bytes further on",
  async (shift) => {
    const log = joined();
    const [long, other] = [source(log), source(log)];
    const line = "x".repeat(shift) + TEXT.repeat((2.5 * MEBIBYTE) / Buffer.byteLength(TEXT));
    const bytes = Buffer.from(line);
    let sent = 0;
    for (; sent < bytes.length; sent += 65_536) {
      await long.write(bytes.subarray(sent, sent + 65_536));
      await other.write('{"other":1}\n');
      // At most so much waits in memory.
      expect(sent - log.bytes().length).toBeLessThanOrEqual(MEBIBYTE);
    }
    await long.write("\n");
    const lines = log.lines();
    const pieces = lines.filter((each) => each !== '{"other":1}');
    expect(lines.length - pieces.length).toBe(Math.ceil(bytes.length / 65_536));
    expect(pieces.map((piece) => Buffer.byteLength(piece) <= MEBIBYTE)).toEqual([true, true, true]);
    expect(pieces.join("")).toBe(line);
  },
);

test("a line of megabytes that arrives at once, and ends later, is cut too", async () => {
  const log = joined();
  const long = source(log);
  await long.write("x".repeat(3 * MEBIBYTE + 5));
  expect(log.lines().map(({ length }) => length)).toEqual([MEBIBYTE, MEBIBYTE, MEBIBYTE]);
  await long.write("\n");
  expect(log.lines().map(({ length }) => length)).toEqual([MEBIBYTE, MEBIBYTE, MEBIBYTE, 5]);
});

test("what is not JSON, or not even text, is copied byte for byte", async () => {
  const log = joined();
  const from = source(log);
  const odd = Buffer.concat([
    Buffer.from("Error: x\r\n    at y\n\n\n{broken\n\0\n"),
    Buffer.from([0xff, 0x80, 0xc3, 10]),
  ]);
  for (const byte of odd) await from.write(Buffer.from([byte]));
  await from.end();
  expect(log.bytes().equals(odd)).toBe(true);
});
