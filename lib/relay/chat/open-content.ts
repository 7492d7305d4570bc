import type { ContentDraft } from "../../content/content-keeper";
import type { StudioOrder } from "../../content/studio-answers";
import { CONTENT_CHARACTERS_MAX } from "../../contract/limits";
import type { TextOperation } from "./text-operation";

/** The body as it came, without encoded images; null where it is too long. */
function inputOf({ call }: TextOperation, body: unknown): string | null {
  const { images } = call.rawBody;
  const text = JSON.stringify(body);
  const kept = images === undefined ? text : images.leftOut(text);
  return kept.length > CONTENT_CHARACTERS_MAX ? null : kept;
}

/** The order of a page's chat, which a session may wait for. */
function studioOf({ call }: TextOperation): StudioOrder | null {
  const { principal, idempotency, requestId } = call;
  if (principal.kind !== "session" || idempotency === undefined) return null;
  const { accountId, userId } = principal;
  return { accountId, userId, orderKey: idempotency.key, requestId };
}

/**
 * Begins to keep what a text asks and is answered; null where its account does not, and no session
 * of the playground waits for it.
 */
export function openContent(operation: TextOperation, body: unknown): ContentDraft | null {
  const { deps, call } = operation;
  const { principal } = call;
  const isKept = principal.keepsContent === true;
  const studio = studioOf(operation);
  if (deps.contents === undefined || !(isKept || studio)) return null;
  const { accountId, apiKeyId } = principal;
  const userId = principal.kind === "session" ? principal.userId : null;
  // Written when it has ended: of the model that served, in its operation.
  const ordered = {
    get operationId() {
      return operation.id;
    },
    ...{ accountId, apiKeyId, userId, isKept, studio },
    get model() {
      return operation.order.model.id;
    },
  };
  return deps.contents.open(ordered, isKept ? inputOf(operation, body) : null);
}
