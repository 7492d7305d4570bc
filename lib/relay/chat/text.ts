/**
 * A request for text, in the form of chat completions or of a dialect: price the upper bound → hold
 * → upstream → settle → answer.
 */
import type { ContentDraft } from "../../content/content-keeper";
import type { BodyOf } from "../../contract/endpoint";
import { isRelayError, type RelayError } from "../../failures/relay-error";
import type { Outgoing } from "../../http/exchange";
import { publicError } from "../../http/failure-answer";
import { jsonTextAnswer, type UseCase } from "../../http/serve";
import { streamHeaders } from "../../http/stream-headers";
import type { Channel } from "../../upstream/provider";
import { MODEL_HEADER } from "../order/chosen-model";
import { abandonHold } from "../order/hold";
import { answerWhole } from "./answer-whole";
import { ChatPump } from "./chat-pump";
import { ClientStream } from "./client-stream";
import { releaseUntranslated } from "./collected-answer";
import { openContent } from "./open-content";
import { inOwnNames } from "./own-names";
import type { AnswerWriter, TextForm } from "./text-form";
import { type ChatDeps, TextOperation, type TextRow } from "./text-operation";

async function completePlain(
  operation: TextOperation,
  writer: AnswerWriter,
  onEnded: () => void,
): Promise<Outgoing> {
  const { deps } = operation;
  for (const tried: Channel[] = []; ; ) {
    const result = await deps.provider.complete(
      operation.wireChannel,
      operation.upstreamBody(),
      operation.isNative,
      operation.images,
    );
    if (result.isOk) {
      operation.noteAnswer();
      operation.firstByteMs = result.firstByteMs;
      if (result.large) return await writer.large(result.large, onEnded);
      const { body, end } = result;
      let text: string;
      try {
        const written = writer.whole(body, end);
        text = typeof written === "string" ? written : await written;
      } catch (error) {
        return await releaseUntranslated(operation, end, error);
      }
      const answer = await answerWhole(operation, text, end);
      onEnded();
      return answer;
    }
    await operation.moveOn(result.failure, tried);
  }
}

/** Tries channels until one begins its answer. Throws the client's error when none does. */
async function beginStream(
  operation: TextOperation,
  writer: AnswerWriter,
  client: ClientStream,
  onEnded: () => void,
): Promise<void> {
  for (const tried: Channel[] = []; ; ) {
    const pump = new ChatPump(operation, writer.stream(), client, onEnded);
    const failure = await pump.start();
    if (failure === null) {
      operation.noteAnswer();
      if (operation.isAbandoned) client.close();
      if (!writer.keepsRequest) operation.call.rawBody.releaseImages();
      return;
    }
    await operation.moveOn(failure, tried);
  }
}

/** A failure that can no longer be the answer's status: of a stream that is kept alive, or of what nobody waits for. */
function failLate({ deps, id }: TextOperation, error: unknown): RelayError {
  if (isRelayError(error))
    deps.log.warn({ operationId: id, code: error.code }, "an answer failed after it had begun");
  else deps.log.error({ operationId: id, err: error }, "an answer failed inside");
  return publicError(error);
}

async function completeStreamed(
  operation: TextOperation,
  writer: AnswerWriter,
  onEnded: () => void,
): Promise<Outgoing> {
  const { call, deps } = operation;
  const onGone = () => {
    operation.isAbandoned = true;
  };
  const client = new ClientStream(writer.keepAlive, onGone, deps.keepAliveMs);
  const begun = beginStream(operation, writer, client, onEnded);
  begun.catch((error: unknown) => {
    if (client.isKeptAlive) client.push(writer.stream().fail(failLate(operation, error)));
    client.end();
    if (client.isKeptAlive) onEnded();
  });
  try {
    await Promise.race([begun, client.quiet]);
  } catch (error) {
    const body = isRelayError(error) ? (writer.refusedStream?.(error) ?? null) : null;
    if (body === null) throw error;
    onEnded();
    return { status: 200, headers: Object.assign(call.headers, streamHeaders), body };
  }
  // It may still be another one that answers.
  if (client.isKeptAlive) delete call.headers[MODEL_HEADER];
  return { status: 200, headers: Object.assign(call.headers, streamHeaders), body: client.queue };
}

/** Makes an answer that nobody waits for. It ends like any other. */
function completeLater(operation: TextOperation, writer: AnswerWriter, onEnded: () => void): void {
  operation.isDetached = true;
  const letGo = operation.call.rawBody.hold();
  completePlain(operation, writer, onEnded)
    .catch((error: unknown) => void failLate(operation, error))
    .finally(() => {
      letGo();
      onEnded();
    });
}

/**
 * The use case of the endpoint. It ends every operation that it opened, also when the client has
 * gone.
 */
export function createText<Row extends TextRow, Prepared>(
  deps: ChatDeps,
  form: TextForm<BodyOf<Row>, Prepared>,
): UseCase<Row> {
  return async (call) => {
    const entered = deps.running.enter(call.principal);
    if (entered !== undefined) await entered;
    let hasLeft = false;
    let request: Prepared | undefined;
    let content: ContentDraft | null = null;
    const leave = () => {
      if (hasLeft) return;
      hasLeft = true;
      deps.running.leave(call.principal);
      content?.end();
      call.rawBody.release();
      if (request !== undefined) form.release?.(request);
    };
    /** Once the answer is sent, the operation reports its own end. */
    let isAnswered = false;
    try {
      const header = (name: string) => call.incoming.header(name);
      const read = form.prepare(call.body, call.principal, header);
      request = read instanceof Promise ? await read : read;
      const asked = form.toChat(request);
      const operation = inOwnNames(asked, () => new TextOperation(deps, call, asked, form.dialect));
      call.incoming.onGone(() => {
        operation.isAbandoned = true;
      });
      await operation.open();
      content = openContent(operation, call.body);
      operation.content = content;
      if (operation.isAbandoned) await abandonHold(operation);
      const writer = form.openWriter(operation, request);
      const accepted = form.accepted?.(operation, request) ?? null;
      if (accepted !== null) {
        isAnswered = true;
        const answer = jsonTextAnswer({ headers: { ...call.headers } }, accepted);
        completeLater(operation, writer, leave);
        return answer;
      }
      const complete = operation.isStream ? completeStreamed : completePlain;
      const answer = await complete(operation, writer, leave);
      isAnswered = true;
      return answer;
    } finally {
      if (!isAnswered) leave();
    }
  };
}
