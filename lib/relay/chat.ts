/** `POST /v1/chat/completions`: price the bound → hold → upstream → settle → answer. */
import type { ChatRequest } from "../contract/chat";
import { RelayError } from "../errors";
import type { Outgoing } from "../http/exchange";
import type { KeyedCall } from "../http/serve";
import { type Micropoints, pointsNumber } from "../points";
import type { Channel, ChatEnd, JsonObject, UpstreamFailure } from "../upstream/provider";
import { ChatPump } from "./chat-pump";
import { answerLarge, answerWhole } from "./large-answer";
import { type ChatParts, TextOperation } from "./text-operation";
import { customerError } from "./upstream-error";

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/** Gives the points back and throws what the customer is told. */
async function giveUp(operation: TextOperation, failure: UpstreamFailure): Promise<never> {
  await operation.releaseAfter(failure, false);
  throw customerError(failure);
}

/** The cost among the tokens, as a stream has it. */
function withPoints(body: JsonObject, { usage }: ChatEnd, amount: Micropoints | null): void {
  if (usage !== null) body.usage = { ...(usage.reported as object), points: pointsNumber(amount ?? 0n) };
}

async function completePlain(operation: TextOperation, onEnded: () => void): Promise<Outgoing> {
  const { parts } = operation;
  for (const tried: Channel[] = []; ; ) {
    const result = await parts.provider.complete(operation.channel, operation.upstreamBody());
    if (result.isOk) {
      parts.chooser.report(operation.channel, null);
      operation.firstByteMs = result.firstByteMs;
      if (result.large) return await answerLarge(operation, result.large, onEnded);
      const { body, end } = result;
      body.id = operation.answerId;
      body.model = operation.request.model;
      withPoints(body, end, operation.amountOf(end));
      const answer = await answerWhole(operation, JSON.stringify(body), end);
      onEnded();
      return answer;
    }
    if (!(await operation.moveOn(result.failure, tried))) return giveUp(operation, result.failure);
  }
}

async function completeStreamed(operation: TextOperation, onEnded: () => void): Promise<Outgoing> {
  const { parts, call } = operation;
  for (const tried: Channel[] = []; ; ) {
    const pump = new ChatPump(operation, onEnded);
    const failure = await pump.start();
    if (failure === null) {
      parts.chooser.report(operation.channel, null);
      if (operation.isAbandoned) pump.queue.close();
      return { status: 200, headers: Object.assign(call.headers, streamHeaders), body: pump.queue };
    }
    if (!(await operation.moveOn(failure, tried))) return giveUp(operation, failure);
  }
}

/** The use case behind the endpoint. What it began it ends, whether or not anyone still waits for the answer. */
export function createChat(parts: ChatParts): (call: KeyedCall) => Promise<Outgoing> {
  return async (call) => {
    const entered = parts.running.enter(call.principal);
    if (entered !== undefined) await entered;
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      parts.running.leave(call.principal);
      call.sent.release();
    };
    /** Then the operation leaves at its own end. */
    let isAnswered = false;
    try {
      const operation = new TextOperation(parts, call, call.body as ChatRequest);
      call.incoming.onGone(() => {
        operation.isAbandoned = true;
      });
      await operation.openHold();
      if (operation.isAbandoned) {
        await operation.releaseUnsent();
        throw new RelayError("upstream_failed", { message: "The client left before the request was sent on." });
      }
      const complete = operation.isStream ? completeStreamed : completePlain;
      const answer = await complete(operation, leave);
      isAnswered = true;
      return answer;
    } finally {
      if (!isAnswered) leave();
    }
  };
}
