import type { ContentDraft } from "../../content/content-keeper";
import { CONTENT_CHARACTERS_MAX } from "../../contract/limits";
import type { TextOperation } from "./text-operation";

/** The body as it came, without encoded images; null where it is too long. */
function inputOf({ call }: TextOperation, body: unknown): string | null {
  const { images } = call.rawBody;
  const text = JSON.stringify(body);
  const kept = images === undefined ? text : images.leftOut(text);
  return kept.length > CONTENT_CHARACTERS_MAX ? null : kept;
}

/** Begins to keep what a text asks and is answered; null where its account does not. */
export function openContent(operation: TextOperation, body: unknown): ContentDraft | null {
  const { deps, call } = operation;
  const { principal } = call;
  if (deps.contents === undefined || principal.keepsContent !== true) return null;
  const { accountId, apiKeyId } = principal;
  const userId = principal.kind === "session" ? principal.userId : null;
  // Written when it has ended: of the model that served, in its operation.
  const ordered = {
    get operationId() {
      return operation.id;
    },
    ...{ accountId, apiKeyId, userId },
    get model() {
      return operation.order.model.id;
    },
  };
  return deps.contents.open(ordered, inputOf(operation, body));
}
