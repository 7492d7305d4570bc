/**
 * The form of the Responses dialect, which refers to earlier responses and stores its own for that.
 */
import { orderReaderOf } from "../../accounts/order-reader";
import type { Principal } from "../../accounts/principal";
import type { CompactRequest } from "../../contract/response-compaction";
import type { ResponsesRequest } from "../../contract/responses";
import type { OrderReader } from "../../db/order-readers";
import { compactedAnswer, compactionOf } from "../../dialects/responses/compaction";
import { responseIdOf } from "../../dialects/responses/item-ids";
import { responseObject } from "../../dialects/responses/response-object";
import { responsesDialect } from "../../dialects/responses/responses-dialect";
import { RelayError } from "../../failures/relay-error";
import type { BodyMemory, BodyShare } from "../../limits/body-memory";
import { ownItems, refersToStored, resolveInput } from "../../stored-responses/resolve-input";
import { REFERRED_BYTES_MAX, type StoredResponses } from "../../stored-responses/stored-responses";
import { answerContext, dialectWriter, type KeepAnswer } from "./dialect-form";
import type { TextForm } from "./text-form";
import type { TextOperation } from "./text-operation";

interface PreparedResponse {
  /** The request as it was sent; `store` says whether its response is stored. */
  readonly sent: ResponsesRequest;
  /** With what it refers to. */
  readonly whole: ResponsesRequest;
  /** The memory of what it refers to; null when it refers to nothing. */
  readonly share: BodyShare | null;
}

/** Chains and single items, each twice: as text and as the read value. */
const READ_BYTES_MAX = 4 * REFERRED_BYTES_MAX;

/** Reads what the request refers to, within the memory that its account has for bodies. */
async function readReferred(
  stored: StoredResponses,
  memory: BodyMemory,
  reader: OrderReader,
  request: ResponsesRequest,
): Promise<Omit<PreparedResponse, "sent">> {
  const share = memory.open(reader.accountId, READ_BYTES_MAX);
  try {
    await share.charge(READ_BYTES_MAX);
    const { whole, bytes } = await resolveInput(stored, reader, request);
    share.complete(2 * bytes);
    return { whole, share };
  } catch (error) {
    share.end();
    throw error;
  }
}

function keeper(
  stored: StoredResponses,
  operation: TextOperation,
  request: ResponsesRequest,
): KeepAnswer {
  const { deps, call, id } = operation;
  const responseId = responseIdOf(id.replaceAll("-", ""));
  return async (answer) => {
    const { output, ...response } = answer;
    answer.store = await stored
      .keep(orderReaderOf(call.principal), {
        id: responseId,
        model: operation.order.model.id,
        previousId: request.previous_response_id ?? null,
        input: ownItems(request),
        images: call.rawBody.images,
        output: Array.isArray(output) ? output : [],
        response,
      })
      .catch((error: unknown) => {
        deps.log.error({ operationId: id, err: error }, "a response could not be stored");
        return false;
      });
    // Nobody could ever read it, so nobody pays it.
    if (operation.isDetached && answer.store === false)
      throw new Error("a response in the background is not stored");
  };
}

/**
 * The request with `store` as it is done here. Throws for a response in the background that nobody
 * could get.
 */
export function storedAs(
  stored: Pick<StoredResponses, "isOn">,
  request: ResponsesRequest,
): ResponsesRequest {
  const sent = stored.isOn() ? request : { ...request, store: false };
  if (sent.background !== true) return sent;
  const why = (name: "store" | "stream") =>
    `\`${name}\` is ${sent[name]}: a response in the background`;
  if (sent.store === false)
    throw new RelayError("unsupported_value", {
      message: `${why("store")} must be stored, and this one is not.`,
      param: "background",
    });
  if (sent.stream === true)
    throw new RelayError("unsupported_value", {
      message: `${why("stream")} has no stream. Omit it.`,
      param: "stream",
    });
  return sent;
}

export const responsesForm = (
  stored: StoredResponses,
  memory: BodyMemory,
): TextForm<ResponsesRequest, PreparedResponse> => ({
  dialect: responsesDialect.name,
  prepare(request: ResponsesRequest, principal: Principal) {
    const sent = storedAs(stored, request);
    if (!refersToStored(request)) return { sent, whole: request, share: null };
    return readReferred(stored, memory, orderReaderOf(principal), request).then((read) => ({
      sent,
      ...read,
    }));
  },
  release: ({ share }) => share?.end(),
  toChat: ({ whole }) => responsesDialect.toChat(whole),
  accepted: (operation, { sent }) =>
    sent.background === true
      ? JSON.stringify(
          responseObject(answerContext(operation, sent), { status: "in_progress" }, [], null),
        )
      : null,
  openWriter: (operation, { sent }) =>
    dialectWriter(
      responsesDialect,
      operation,
      sent,
      sent.store === false ? null : keeper(stored, operation, sent),
    ),
});

/** The same for a conversation that is to be compacted. Its answer is never stored. */
export const compactForm = (
  stored: StoredResponses,
  memory: BodyMemory,
): TextForm<CompactRequest, PreparedResponse> => {
  const form = responsesForm(stored, memory);
  return {
    ...form,
    prepare: (request, ...asker) => form.prepare(compactionOf(request), ...asker),
    openWriter: (operation, { sent }) =>
      dialectWriter(
        {
          ...responsesDialect,
          toAnswer: (answer, context) =>
            compactedAnswer(responsesDialect.toAnswer(answer, context), sent),
        },
        operation,
        sent,
        null,
      ),
  };
};
