/** `POST /v1/chat/completions`: price the upper bound → hold → upstream → settle → answer. */
import type { AnswerOf } from "../../contract/endpoint";
import type { Outgoing } from "../../http/exchange";
import type { UseCase } from "../../http/serve";
import { pointsNumber } from "../../points";
import type { Channel, ChatEnd, JsonObject } from "../../upstream/provider";
import { abandonHold, openHold } from "../order/hold";
import { ChatPump } from "./chat-pump";
import { answerLarge, answerWhole } from "./large-answer";
import { type ChatDeps, type ChatRow, TextOperation } from "./text-operation";

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  "cache-control": "no-cache, no-transform",
  "x-accel-buffering": "no",
};

/**
 * The upstream's completion under our id and model, with the cost in its usage, in the same form as
 * in a stream.
 */
function answerOf(operation: TextOperation, body: JsonObject, end: ChatEnd): AnswerOf<ChatRow> {
  body.id = operation.answerId;
  body.model = operation.request.model;
  if (end.usage !== null)
    body.usage = { ...end.usage.reported, points: pointsNumber(operation.amountOf(end) ?? 0n) };
  // The adapter has checked the choices. Parsing the whole schema is left to tests: it would cost
  // every answer.
  return body as AnswerOf<ChatRow>;
}

async function completePlain(operation: TextOperation, onEnded: () => void): Promise<Outgoing> {
  const { deps } = operation;
  for (const tried: Channel[] = []; ; ) {
    const result = await deps.provider.complete(operation.channel, operation.upstreamBody());
    if (result.isOk) {
      deps.chooser.report(operation.channel, null);
      operation.firstByteMs = result.firstByteMs;
      if (result.large) return await answerLarge(operation, result.large, onEnded);
      const { body, end } = result;
      const answer = await answerWhole(
        operation,
        JSON.stringify(answerOf(operation, body, end)),
        end,
      );
      onEnded();
      return answer;
    }
    await operation.moveOn(result.failure, tried);
  }
}

async function completeStreamed(operation: TextOperation, onEnded: () => void): Promise<Outgoing> {
  const { deps, call } = operation;
  for (const tried: Channel[] = []; ; ) {
    const pump = new ChatPump(operation, onEnded);
    const failure = await pump.start();
    if (failure === null) {
      deps.chooser.report(operation.channel, null);
      if (operation.isAbandoned) pump.queue.close();
      return { status: 200, headers: Object.assign(call.headers, streamHeaders), body: pump.queue };
    }
    await operation.moveOn(failure, tried);
  }
}

/**
 * The use case of the endpoint. It ends every operation that it opened, also when the client has
 * gone.
 */
export function createChat(deps: ChatDeps): UseCase<ChatRow> {
  return async (call) => {
    const entered = deps.running.enter(call.principal);
    if (entered !== undefined) await entered;
    let hasLeft = false;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      deps.running.leave(call.principal);
      call.rawBody.release();
    };
    /** Once the answer is sent, the operation reports its own end. */
    let isAnswered = false;
    try {
      const operation = new TextOperation(deps, call, call.body);
      call.incoming.onGone(() => {
        operation.isAbandoned = true;
      });
      await openHold(operation);
      if (operation.isAbandoned) await abandonHold(operation);
      const complete = operation.isStream ? completeStreamed : completePlain;
      const answer = await complete(operation, leave);
      isAnswered = true;
      return answer;
    } finally {
      if (!isAnswered) leave();
    }
  };
}
