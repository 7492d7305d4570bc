/**
 * Puts stored items in the place of what refers to them, so that a request can be translated: the
 * responses that it continues, and single items.
 */

import { MESSAGES_MAX } from "../contract/chat";
import type { InputItem, ResponsesRequest } from "../contract/responses";
import type { OrderReader } from "../db/order-readers";
import { type ItemPlace, isResponseId, placeOf } from "../dialects/responses/item-ids";
import { invalidValue, RelayError } from "../failures/relay-error";
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
  invalidValue("input", "The request refers to more stored items than are allowed in one request.");

async function chainOf(
  stored: StoredResponses,
  reader: OrderReader,
  previousId: string | null | undefined,
): Promise<readonly StoredItems[]> {
  if (!previousId) return [];
  const name = "previous_response_id";
  const chain = isResponseId(previousId)
    ? await stored.chain(reader, previousId)
    : ({ isWhole: false, missing: previousId } as const);
  if (chain.isWhole) return chain.responses;
  if (chain.missing === null) throw tooLong();
  throw notStored(
    name,
    chain.missing === previousId
      ? `is ${JSON.stringify(previousId)}, which is not stored.`
      : `continues ${JSON.stringify(chain.missing)}, which is no longer stored.`,
  );
}

const sizeOf = (read: readonly StoredItems[]): number =>
  read.reduce((sum, { bytes }) => sum + bytes, 0);

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

export interface Referred {
  /** By the ids that refer to them. */
  readonly found: ReadonlyMap<string, InputItem>;
  /** The size of what was read. */
  readonly bytes: number;
}

/** The items that are referred to. */
export async function referredTo(
  stored: StoredResponses,
  reader: OrderReader,
  items: readonly InputItem[],
): Promise<Referred> {
  const places = placesIn(items);
  const needed = new Map<string, Needed>();
  for (const { responseId: id, isInput } of places.values())
    needed.set(id, { id, isInput: isInput || needed.get(id)?.isInput === true });
  const found = new Map<string, InputItem>();
  if (needed.size === 0) return { found, bytes: 0 };
  const read = await stored.items(reader, [...needed.values()]);
  if (read === null) throw tooLong();
  const byId = new Map(read.map((each) => [each.id, each]));
  for (const [id, { responseId, isInput, index }] of places) {
    const response = byId.get(responseId);
    const item = (isInput ? response?.input : response?.output)?.[index];
    // Nothing refers to a reference: it has the id of what it refers to.
    if (item !== undefined && item.type !== "item_reference") found.set(id, item);
  }
  return { found, bytes: sizeOf(read) };
}

/** The most items of a request with what it refers to: as many as it may have itself. */
const ITEMS_MAX = MESSAGES_MAX;

/**
 * The request with all items that it refers to. Throws `previous_response_not_found` for what is
 * not stored, and `invalid_value` for too much.
 */
export async function resolveInput(
  stored: StoredResponses,
  reader: OrderReader,
  request: ResponsesRequest,
): Promise<{ readonly whole: ResponsesRequest; readonly bytes: number }> {
  const chain = await chainOf(stored, reader, request.previous_response_id);
  const before = chain.flatMap(({ input, output }) => [...input, ...output]);
  const own = ownItems(request);
  const items = [...before, ...own];
  if (items.length > ITEMS_MAX) throw tooLong();
  const { found, bytes } = await referredTo(stored, reader, items);
  const input = items.map((item, at) => {
    if (item.type !== "item_reference") return item;
    const referred = found.get(item.id);
    if (referred !== undefined) return referred;
    if (at < before.length)
      throw notStored(
        "previous_response_id",
        `refers to the item ${JSON.stringify(item.id)}, which is no longer stored.`,
      );
    throw notStored(
      `input[${at - before.length}].id`,
      `is ${JSON.stringify(item.id)}, which is not stored.`,
    );
  });
  return { whole: { ...request, input }, bytes: bytes + sizeOf(chain) };
}
