/** What becomes of each documented field, found by placing an order that has it. */
import { isRelayError } from "@/lib/failures/relay-error";
import type { Documented, FieldTable, Place } from "./field-table";
import { placeEdit, placeImage } from "./place-image";
import { placeChat, placeMessage, placeResponse } from "./place-text";
import { placeCall, placeJob, placeTask } from "./place-video";

export const outcomes = [
  "priced",
  "passed",
  "neutral value only",
  "left out and named",
  "refused by name",
] as const;
type Outcome = (typeof outcomes)[number];

const places: Readonly<Record<string, Place>> = {
  "POST /v1/contents/generations/tasks": placeTask,
  "POST /v1/videos/generations": placeCall,
  "POST /v1/videos": placeJob,
  "POST /v1/images/generations": placeImage,
  "POST /v1/images/edits": placeEdit,
  "POST /v1/chat/completions": placeChat,
  "POST /v1/responses": placeResponse,
  "POST /v1/messages": placeMessage,
};

const isRefused = (error: unknown) =>
  isRelayError(error) &&
  ["unsupported_value", "invalid_value", "n_not_supported"].includes(error.code);

const textOf = (value: unknown) => JSON.stringify(value);

async function outcomeOf(place: Place, documented: Documented): Promise<Outcome> {
  const { field, order, upstream } = documented;
  const usual = await place({});
  try {
    const { sent, cost, ignored } = await place(order);
    if (cost !== usual.cost) return "priced";
    if (upstream === null) return "passed";
    const [name = ""] = (upstream ?? field).split(/[ ,.]/);
    if (name in sent || textOf(sent) !== textOf(usual.sent)) return "passed";
    return ignored.includes(field) ? "left out and named" : "neutral value only";
  } catch (error) {
    if (isRefused(error)) return "refused by name";
    throw error;
  }
}

export function outcomesOf({ endpoint, fields }: FieldTable) {
  const place = places[endpoint];
  if (!place) throw new Error(`nobody places an order at ${endpoint}`);
  return Promise.all(
    fields.map(async (documented) => ({
      ...documented,
      outcome: await outcomeOf(place, documented),
    })),
  );
}
