/** `POST /v1/chat/completions`: price the bound → hold → upstream → settle → answer. */
import type { ChatRequest } from "../contract/chat";
import { RelayError } from "../errors";
import type { Outgoing } from "../http/exchange";
import { jsonAnswer, type KeyedCall } from "../http/serve";
import { pointsNumber } from "../points";
import type { Channel, UpstreamFailure } from "../upstream/provider";
import { ChatPump } from "./chat-pump";
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

async function completePlain(operation: TextOperation): Promise<Outgoing> {
  const { parts, call } = operation;
  for (const tried: Channel[] = []; ; ) {
    const result = await parts.provider.complete(operation.channel, operation.upstreamBody());
    if (result.isOk) {
      parts.chooser.report(operation.channel, null);
      operation.firstByteMs = result.firstByteMs;
      const { body } = result;
      body.id = operation.answerId;
      body.model = operation.request.model;
      const text = JSON.stringify(body);
      if (call.once && !(await call.once.keep(text))) {
        await operation.releaseTakenOver();
        throw new RelayError("idempotency_in_progress", { retryAfterSeconds: 1 });
      }
      const amount = await operation.settle(result.end);
      call.headers["x-relay-points"] = String(pointsNumber(amount));
      return jsonAnswer(call, text);
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
    const entered = parts.running.enter(call.key);
    if (entered !== undefined) await entered;
    let isStreaming = false;
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
      if (!operation.isStream) return await completePlain(operation);
      const answer = await completeStreamed(operation, () => {
        parts.running.leave(call.key);
        call.sent.release();
      });
      isStreaming = true;
      return answer;
    } finally {
      if (!isStreaming) parts.running.leave(call.key);
    }
  };
}
