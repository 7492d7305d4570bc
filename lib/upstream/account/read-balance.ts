/** Reads what is left of our own account at an upstream. */
import { type BalanceRead, balanceFormatOf } from "../balance";
import type { Channel, JsonObject } from "../provider";
import type { JsonCaller } from "../transport/json-caller";

const ANSWER_BYTES_MAX = 64 * 1024;
const DEADLINE_MS = 20_000;
/** Statuses of servers that have no such address. */
const absent = [404, 405, 501];

/** Never rejects. Nothing is ordered. */
export async function readBalance(
  caller: Pick<JsonCaller, "call">,
  channel: Channel,
): Promise<BalanceRead> {
  const none = (reason: string) => ({ isOk: false, hasNone: true, reason }) as const;
  const format = balanceFormatOf(channel);
  if (format === null) return none("the protocol has no address for it");
  const { origin } = new URL(channel.baseUrl);
  const place = format.isAtRoot ? { ...channel, baseUrl: origin } : channel;
  const answers: JsonObject[] = [];
  for (const path of format.paths) {
    const asked = { method: "GET", path, deadlineMs: DEADLINE_MS } as const;
    const answer = await caller.call(place, { ...asked, answerBytesMax: ANSWER_BYTES_MAX });
    if (!answer.isOk) {
      const hasNone = absent.includes(answer.status);
      return { isOk: false, hasNone, reason: answer.failure.internal.slice(0, 200) };
    }
    answers.push(answer.body ?? {});
  }
  const balance = format.read(...answers);
  if (balance === "unbounded") return none("the key has no bound");
  return balance === null ? none("the answer names no balance") : { isOk: true, balance };
}
