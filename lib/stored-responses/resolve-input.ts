/**
 * Puts stored items in the place of what refers to them, so that a request can be translated: the
 * responses that it continues, and single items.
 */
import type { InputItem, ResponsesRequest } from "../contract/responses";
import { type ItemPlace, isResponseId, placeOf } from "../dialects/responses/item-ids";
import { RelayError } from "../errors";
import type { Needed, StoredItems, StoredResponses } from "./stored-responses";

/** The request's own items, as they are stored. */
export const ownItems = ({ input }: ResponsesRequest): readonly InputItem[] =>
  typeof input === "string" ? [{ type: "message", role: "user", content: input }] : input;

/** Whether a request refers to anything that is stored. */
export const refersToStored = ({ input, previous_response_id: id }: ResponsesRequest): boolean =>
  (id !== undefined && id !== null) ||
  (typeof input !== "string" && input.some(({ type }) => type === "item_reference"));

const notStored = (param: string, text: string) =>
  new RelayError("previous_response_not_found", { param, message: `\`${param}\` ${text}` });

const tooLong = () =>
  new RelayError("invalid_value", {
    param: "input",
    message: "The stored items that the request refers to are more than can be read at once.",
  });

async function chainOf(
  stored: StoredResponses,
  accountId: string,
  previousId: string | null | undefined,
): Promise<readonly StoredItems[]> {
  if (!previousId) return [];
  const name = "previous_response_id";
  const chain = isResponseId(previousId)
    ? await stored.chain(accountId, previousId)
    : ({ isWhole: false, missing: previousId } as const);
  if (chain.isWhole) return chain.responses;
  if (chain.missing === null) throw tooLong();
  throw notStored(
    name,
    chain.missing === previousId
      ? `is ${JSON.stringify(previousId)}, which is not stored here.`
      : `continues ${JSON.stringify(chain.missing)}, which is not stored any more.`,
  );
}

/** The places of items by the ids that refer to them. */
function placesIn(items: Iterable<InputItem>): Map<string, ItemPlace> {
  const places = new Map<string, ItemPlace>();
  for (const item of items) {
    if (item.type !== "item_reference") continue;
    const place = placeOf(item.id);
    if (place !== null) places.set(item.id, place);
  }
  return places;
}

/** The items that are referred to, by the ids that refer to them. */
export async function referredTo(
  stored: StoredResponses,
  accountId: string,
  items: readonly InputItem[],
): Promise<Map<string, InputItem>> {
  const places = placesIn(items);
  const needed = new Map<string, Needed>();
  for (const { responseId: id, isInput } of places.values())
    needed.set(id, { id, isInput: isInput || needed.get(id)?.isInput === true });
  const found = new Map<string, InputItem>();
  if (needed.size === 0) return found;
  const read = await stored.items(accountId, [...needed.values()]);
  if (read === null) throw tooLong();
  const byId = new Map(read.map((each) => [each.id, each]));
  for (const [id, { responseId, isInput, index }] of places) {
    const response = byId.get(responseId);
    const item = (isInput ? response?.input : response?.output)?.[index];
    // Nothing refers to a reference: it has the id of what it refers to.
    if (item !== undefined && item.type !== "item_reference") found.set(id, item);
  }
  return found;
}

/**
 * The request with all items that it refers to. Throws `previous_response_not_found` for what is
 * not stored.
 */
export async function resolveInput(
  stored: StoredResponses,
  accountId: string,
  request: ResponsesRequest,
): Promise<ResponsesRequest> {
  const before = (await chainOf(stored, accountId, request.previous_response_id)).flatMap(
    ({ input, output }) => [...input, ...output],
  );
  const own = ownItems(request);
  const items = [...before, ...own];
  const found = await referredTo(stored, accountId, items);
  const input = items.map((item, at) => {
    if (item.type !== "item_reference") return item;
    const referred = found.get(item.id);
    if (referred !== undefined) return referred;
    if (at < before.length)
      throw notStored(
        "previous_response_id",
        `refers to the item ${JSON.stringify(item.id)}, which is not stored any more.`,
      );
    throw notStored(
      `input[${at - before.length}].id`,
      `is ${JSON.stringify(item.id)}, which is not stored here.`,
    );
  });
  return { ...request, input };
}
