/** Sends mails after the HTTP answer, so that the answer's time does not show whether an address has an account. */
import { AsyncResource } from "node:async_hooks";
import { setTimeout } from "node:timers/promises";
import { type Mail, type MailServer, sendMail } from "./mail";
import { boundProblems } from "./sign-in-problems";

const RUNNING_MAX = 2;
const WAITING_MAX = 1000;
/** A mail server that does not answer must not hold up the end of the process. */
const CLOSE_MS = 5000;

type Send = (mail: Mail) => Promise<void>;

export interface Outbox {
  /**
   * Runs `work` later, a few at once and in turn. Failures are reported. With too many waiting, it
   * is dropped and reported.
   */
  later(server: MailServer, work: (send: Send) => Promise<void>): void;
  /** Resolves when nothing waits or runs. */
  idle(): Promise<void>;
  /** Drops what waits, and gives what runs a few seconds. */
  close(): Promise<void>;
}

export function openOutbox(
  reportProblem: (fields: object, message: string) => void,
  send: typeof sendMail = sendMail,
): Outbox {
  const waiting: (() => Promise<void>)[] = [];
  const running = new Set<Promise<void>>();
  const problem = boundProblems(undefined, "mail");

  async function serve(): Promise<void> {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift())
      await next().catch((error: unknown) => problem(reportProblem, "MAIL", error));
  }
  function start(): void {
    if (running.size >= RUNNING_MAX) return;
    const worker = serve().finally(() => running.delete(worker));
    running.add(worker);
  }

  return {
    later(server, work) {
      if (waiting.length >= WAITING_MAX)
        return problem(reportProblem, "MAIL", new Error("too many mails wait"));
      // In the context of who asked, not of whose request began to serve.
      waiting.push(AsyncResource.bind(() => work((mail) => send(server, mail))));
      start();
    },
    async idle() {
      while (running.size > 0) await Promise.all(running);
    },
    async close() {
      waiting.length = 0;
      await Promise.race([Promise.all(running), setTimeout(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
