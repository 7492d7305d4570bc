/** The same kind of request over and over, as fast as the answers come. */
import type { Tally } from "./attack";
import { type Answer, AnswerReader, openSocket, type Target } from "./wire";

export interface Flood {
  readonly connections: number;
  readonly milliseconds: number;
  /** The bytes of request number `index`. */
  readonly request: (index: number) => Buffer;
  readonly label: string;
  readonly onAnswer?: (answer: Answer) => void;
}

/** After a connection that ended without an answer: a server that takes no more must not be asked without end. */
const REOPEN_MS = 20;
const UNANSWERED_MS = 30_000;

/** Sends until the time is over, then waits for what is under way. */
export async function flood(target: Target, tally: Tally, { connections, milliseconds, request, label, onAnswer }: Flood): Promise<void> {
  const until = Date.now() + milliseconds;
  let next = 0;

  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = openSocket(target);
      let isWaiting = false;
      let timer: NodeJS.Timeout | undefined;
      const send = () => {
        if (Date.now() >= until) return void socket.destroy();
        tally.sending();
        isWaiting = true;
        timer = setTimeout(() => {
          tally.fault(`${label} → nothing for ${UNANSWERED_MS / 1000} s`);
          socket.destroy();
        }, UNANSWERED_MS);
        socket.write(request(next++));
      };
      const reader = new AnswerReader((answer) => {
        clearTimeout(timer);
        isWaiting = false;
        tally.judge(answer, label);
        onAnswer?.(answer);
        if (/close/i.test(answer.headers.get("connection") ?? "")) socket.destroy();
        else send();
      });
      socket.on("data", (part) => reader.push(part));
      socket.once("connect", send);
      socket.once("close", () => {
        clearTimeout(timer);
        if (isWaiting) tally.count("cut off");
        resolve();
      });
    });

  const caller = async () => {
    while (Date.now() < until) {
      await one();
      await new Promise((resolve) => setTimeout(resolve, REOPEN_MS));
    }
  };
  await tally.step(label, () => Promise.all(Array.from({ length: connections }, caller)));
}
