/** Sends requests one after the other on many connections, as fast as the answers come. */

import { pause } from "@/lib/timing/pause";
import type { Tally } from "./attack";
import { type Answer, AnswerReader, openSocket, type Target } from "./wire";

export interface Flood {
  readonly connections: number;
  /** Ends after this time, or after this many requests. */
  readonly milliseconds: number;
  readonly count?: number;
  readonly request: (index: number) => Buffer;
  readonly label: string;
  /** How a report shows the request of a fault; absent to show the label. */
  readonly reproduce?: (index: number) => string;
  /**
   * The allowed answers of 200 or 201 of each process: this many at once, and as many per minute.
   * More would mean that nothing bounds what one client may do.
   */
  readonly acceptedPerMinuteMax?: number;
  readonly processes?: number;
  readonly onAnswer?: (answer: Answer, index: number) => void;
}

/**
 * The wait after a connection that ended without an answer, so that a server that accepts no more
 * is not called in a tight loop.
 */
const REOPEN_MS = 20;
/** A call for a video waits while the sandbox draws all that were ordered, about one a second. */
const UNANSWERED_MS = 300_000;

/** Sends until the end, then waits for the last answers. */
export async function flood(target: Target, tally: Tally, options: Flood): Promise<void> {
  const {
    connections,
    milliseconds,
    count = Number.POSITIVE_INFINITY,
    request,
    label,
    reproduce = () => label,
    onAnswer,
    acceptedPerMinuteMax = Number.POSITIVE_INFINITY,
    processes = 1,
  } = options;
  const startedAt = Date.now();
  const until = startedAt + milliseconds;
  const isOver = () => next >= count || Date.now() >= until;
  let next = 0;
  let accepted = 0;

  const one = (): Promise<void> =>
    new Promise((resolve) => {
      const socket = openSocket(target);
      let waitingFor: number | null = null;
      let timer: NodeJS.Timeout | undefined;
      const giveUp = () => {
        tally.fault(`${reproduce(waitingFor ?? 0)} → nothing for ${UNANSWERED_MS / 1000} s`);
        socket.destroy();
      };
      const send = () => {
        if (isOver()) return void socket.destroy();
        tally.sending();
        waitingFor = next++;
        timer = setTimeout(giveUp, UNANSWERED_MS);
        socket.write(request(waitingFor));
      };
      const reader = new AnswerReader((answer) => {
        clearTimeout(timer);
        if (waitingFor === null) return;
        tally.judge(answer, reproduce(waitingFor));
        onAnswer?.(answer, waitingFor);
        if (answer.status < 300) accepted++;
        waitingFor = null;
        if (/close/i.test(answer.headers.get("connection") ?? "")) socket.destroy();
        else send();
      });
      socket.on("data", (part) => reader.push(part));
      socket.once("connect", send);
      socket.once("close", () => {
        reader.end();
        clearTimeout(timer);
        if (waitingFor !== null) tally.count("cut off");
        resolve();
      });
    });

  const caller = async () => {
    while (!isOver()) {
      await one();
      await pause(REOPEN_MS);
    }
  };
  await tally.step(label, () => Promise.all(Array.from({ length: connections }, caller)));
  const minutes = (Date.now() - startedAt) / 60_000;
  const acceptedMax = Math.ceil(acceptedPerMinuteMax * (1 + minutes) * processes);
  if (accepted > acceptedMax)
    tally.fault(
      `${label}: ${accepted} were accepted in ${Math.round(minutes * 60)} s, and ${acceptedMax} should be the most`,
    );
}
