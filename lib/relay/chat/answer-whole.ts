/** The end of every plain answer: stored, charged, and sent as a whole. */
import { RelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { jsonTextAnswer } from "../../http/serve";
import { pointsNumber } from "../../money/points";
import type { ChatEnd } from "../../upstream/provider";
import { releaseHold } from "../order/hold";
import type { TextOperation } from "./text-operation";

/** Stores the answer for retries, charges it, and answers, in this order. */
export async function answerWhole(
  operation: TextOperation,
  text: string,
  end: ChatEnd,
): Promise<Outgoing> {
  const { call, isDetached } = operation;
  if (call.idempotency && !isDetached && !(await call.idempotency.keep(text))) {
    await releaseHold(operation, "taken_over", { failure: "taken_over" });
    throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });
  }
  const amount = await operation.settle(end);
  operation.content?.add(text);
  call.headers["x-relay-points"] = String(pointsNumber(amount));
  return jsonTextAnswer(call, text);
}
