/** `GET` and `DELETE` of stored responses, and the list of their input items. */
import { orderReaderOf } from "../accounts/order-reader";
import type { Endpoints } from "../contract/endpoints";
import { type InputItem, inputItemsQuery, responseAnswer } from "../contract/responses";
import { failedError } from "../dialects/responses/failure";
import { inputItemId, isResponseId, operationHexOf } from "../dialects/responses/item-ids";
import { failures } from "../failures/failure-table";
import { invalidValue, RelayError } from "../failures/relay-error";
import { type Call, jsonAnswer, type UseCase } from "../http/serve";
import { validateQuery } from "../http/validate";
import { referredTo } from "../stored-responses/resolve-input";
import type { ResponseOrder, StoredResponses } from "../stored-responses/stored-responses";
import { isKeyOf } from "../values/records";
import { notCancellable } from "./order/cancel-unsent";
import { taskError } from "./order/task-error";

const PAGE_DEFAULT = 20;
const PAGE_MAX = 100;

/** A response that the caller may not read is answered like one that does not exist. */
async function findOwn(stored: StoredResponses, { principal, parameter }: Call) {
  const found = isResponseId(parameter)
    ? await stored.find(orderReaderOf(principal), parameter)
    : null;
  if (found === null) throw new RelayError("response_not_found");
  return found;
}

/** A response that is being made, or that failed: nothing of it is stored. */
function unfinished(id: string, { outcome, reason, model, createdAt }: ResponseOrder) {
  const { code, message } = taskError(reason);
  return {
    ...{ id, object: "response" as const, created_at: Math.floor(createdAt.getTime() / 1000) },
    ...{ model, output: [], incomplete_details: null, previous_response_id: null },
    status: outcome === null ? ("in_progress" as const) : ("failed" as const),
    error:
      outcome === null
        ? null
        : failedError(
            new RelayError(isKeyOf(failures, code) ? code : "upstream_failed", { message }),
          ),
    ...{ store: true, usage: null, background: true },
  };
}

/**
 * What is stored of a response in the background counts once it is charged. One that is not stored is
 * being made, or failed; after its charge it was removed.
 */
async function responseFor(stored: StoredResponses, { principal, parameter: id }: Call) {
  if (!isResponseId(id)) throw new RelayError("response_not_found");
  const reader = orderReaderOf(principal);
  const found = await stored.find(reader, id);
  if (found !== null && found.response.background !== true) return found;
  const order = await stored.order(reader, operationHexOf(id));
  if (order !== null && order.outcome !== "settled")
    return { response: unfinished(id, order), output: [] };
  if (found === null) throw new RelayError("response_not_found");
  return found;
}

export function createGetResponse(stored: StoredResponses): UseCase<Endpoints["getResponse"]> {
  return async (call) => {
    if (new URLSearchParams(call.incoming.query).get("stream") === "true") {
      throw new RelayError("unsupported_value", {
        param: "stream",
        message: "`stream` is true, but stored responses are not streamed; omit it or send false.",
      });
    }
    const { response, output } = await responseFor(stored, call);
    return jsonAnswer(call, responseAnswer.parse({ ...response, output }));
  };
}

/**
 * A response that is being made was sent to its upstream, which bills it: it is made to its end. One that
 * has ended is answered as it is.
 */
export function createCancelResponse(
  stored: StoredResponses,
): UseCase<Endpoints["cancelResponse"]> {
  return async (call) => {
    const { response, output } = await responseFor(stored, call);
    if (response.status === "in_progress")
      throw notCancellable(
        "The response is being made and can no longer be cancelled. It is charged once it is made, and costs nothing if it fails.",
      );
    return jsonAnswer(call, responseAnswer.parse({ ...response, output }));
  };
}

export function createDeleteResponse(
  stored: StoredResponses,
): UseCase<Endpoints["deleteResponse"]> {
  return async (call) => {
    const { parameter: id, principal } = call;
    if (!isResponseId(id) || !(await stored.remove(orderReaderOf(principal), id)))
      throw new RelayError("response_not_found");
    return jsonAnswer(call, { id, object: "response", deleted: true });
  };
}

/** The item in its long form, as lists have it. */
function listed(item: InputItem, id: string) {
  if ("role" in item && typeof item.content === "string") {
    const type = item.role === "assistant" ? "output_text" : "input_text";
    return { ...item, id, type: "message", content: [{ type, text: item.content }] };
  }
  return { ...item, id, type: item.type ?? "message" };
}

function pageOf(query: string) {
  const { limit, order, after } = validateQuery(inputItemsQuery, query);
  return {
    size: Math.min(limit === undefined ? PAGE_DEFAULT : Number(limit), PAGE_MAX),
    isAscending: order === "asc",
    after,
  };
}

/** Ids may be the client's own, and occur twice: then the last one counts, so that pages end. */
function startAfter(items: readonly { readonly id: string }[], after: string): number {
  const place = items.findLastIndex(({ id }) => id === after);
  if (place !== -1) return place + 1;
  throw invalidValue(
    "after",
    `\`after\` is ${JSON.stringify(after)}, which is no item of this response.`,
  );
}

/** The request's own items. What they refer to is left out once it is no longer stored. */
export function createListInputItems(
  stored: StoredResponses,
): UseCase<Endpoints["listInputItems"]> {
  return async (call) => {
    const { size, isAscending, after } = pageOf(call.incoming.query);
    const { id: responseId, input } = await findOwn(stored, call);
    const { found } = await referredTo(stored, orderReaderOf(call.principal), input);
    const items = input.flatMap((item, index) => {
      const own = item.type === "item_reference" ? found.get(item.id) : item;
      const id = inputItemId(item, operationHexOf(responseId), index);
      return own === undefined ? [] : [listed(own, id)];
    });
    if (!isAscending) items.reverse();
    const start = after === undefined ? 0 : startAfter(items, after);
    const data = items.slice(start, start + size);
    return jsonAnswer(call, {
      object: "list",
      data,
      first_id: data[0]?.id ?? null,
      last_id: data.at(-1)?.id ?? null,
      has_more: items.length > start + size,
    });
  };
}
