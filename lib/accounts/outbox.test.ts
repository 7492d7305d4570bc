import { AsyncLocalStorage } from "node:async_hooks";
import { createServer } from "node:net";
import { expect, test } from "vitest";
import { listen } from "@/testing/stage/listen";
import { sendMail } from "./mail";
import { openOutbox } from "./outbox";

const server = { server: "smtp://127.0.0.1:1", from: "relay@example.com" };
const mail = { to: "ada@example.com", subject: "s", text: "t" };

test("two mails are sent at a time, in turn, and a failed one is reported and holds up no other", async () => {
  const problems: object[] = [];
  const sent: number[] = [];
  let [running, most] = [0, 0];
  const outbox = openOutbox(
    (fields) => problems.push(fields),
    async () => {
      most = Math.max(most, ++running);
      await new Promise((resolve) => setTimeout(resolve, 5));
      running--;
    },
  );
  for (let each = 0; each < 10; each++)
    outbox.later(server, async (send) => {
      await send(mail);
      if (each === 3) throw new Error("refused");
      sent.push(each);
    });
  await outbox.idle();
  expect(most).toBe(2);
  expect(sent).toEqual([0, 1, 2, 4, 5, 6, 7, 8, 9]);
  expect(problems).toEqual([{ code: "MAIL", reason: "Error: refused" }]);
});

test("above a thousand waiting mails further ones are dropped and reported; closing drops all that wait", async () => {
  const problems: object[] = [];
  let done = 0;
  const outbox = openOutbox(
    (fields) => problems.push(fields),
    () => new Promise(() => {}),
  );
  for (let each = 0; each < 1003; each++)
    outbox.later(server, async (send) => {
      done++;
      await send(mail);
    });
  expect(problems).toEqual([{ code: "MAIL", reason: "Error: too many mails wait" }]);
  expect(done).toBe(2);
  const before = performance.now();
  await outbox.close();
  expect(performance.now() - before).toBeLessThan(7000);
  expect(done).toBe(2);
});

test("work runs in the context of who asked for it, not of who asked before", async () => {
  const who = new AsyncLocalStorage<number>();
  const outbox = openOutbox(
    () => {},
    async () => {},
  );
  const seen: unknown[] = [];
  for (const each of [1, 2, 3, 4])
    who.run(each, () => outbox.later(server, async () => void seen.push(who.getStore() === each)));
  await outbox.idle();
  expect(seen).toEqual([true, true, true, true]);
});

test("a mail server that takes the connection and says nothing is given up after its time", async () => {
  const silent = createServer((socket) => socket.on("error", () => {}));
  const { port, close } = await listen(silent);
  const since = performance.now();
  const place = { ...server, server: `smtp://relay%40shop:p%40ss@127.0.0.1:${port}` };
  await expect(sendMail(place, mail, 300)).rejects.toThrow(/Greeting never received|Timeout/);
  expect(performance.now() - since).toBeLessThan(10_000);
  await close();
});
