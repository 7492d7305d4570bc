/**
 * The form of the Responses dialect, which refers to earlier responses and stores its own for that.
 */
import type { Principal } from "../../accounts/principal";
import type { ResponsesRequest } from "../../contract/responses";
import { responseIdOf } from "../../dialects/responses/item-ids";
import { responsesDialect } from "../../dialects/responses/responses-dialect";
import { ownItems, refersToStored, resolveInput } from "../../stored-responses/resolve-input";
import type { StoredResponses } from "../../stored-responses/stored-responses";
import { dialectWriter, type KeepAnswer } from "./dialect-form";
import type { TextForm } from "./text-form";
import type { TextOperation } from "./text-operation";

interface PreparedResponse {
  /** The request as it was sent; `store` says whether its response is stored. */
  readonly sent: ResponsesRequest;
  /** With what it refers to. */
  readonly whole: ResponsesRequest;
}

function keeper(
  stored: StoredResponses,
  { deps, call, id }: TextOperation,
  request: ResponsesRequest,
): KeepAnswer {
  const responseId = responseIdOf(id.replaceAll("-", ""));
  return async (answer) => {
    const { output, ...response } = answer;
    answer.store = await stored
      .keep(call.principal.accountId, {
        id: responseId,
        previousId: request.previous_response_id ?? null,
        input: ownItems(request),
        output: Array.isArray(output) ? output : [],
        response,
      })
      .catch((error: unknown) => {
        deps.log.error({ operationId: id, err: error }, "a response could not be stored");
        return false;
      });
  };
}

export const responsesForm = (
  stored: StoredResponses,
): TextForm<ResponsesRequest, PreparedResponse> => ({
  dialect: responsesDialect.name,
  prepare(request: ResponsesRequest, { accountId }: Principal) {
    const sent = stored.isOn() ? request : { ...request, store: false };
    if (!refersToStored(request)) return { sent, whole: request };
    return resolveInput(stored, accountId, request).then((whole) => ({ sent, whole }));
  },
  toChat: ({ whole }) => responsesDialect.toChat(whole),
  openWriter: (operation, { sent }) =>
    dialectWriter(
      responsesDialect,
      operation,
      sent,
      sent.store === false ? null : keeper(stored, operation, sent),
    ),
});
