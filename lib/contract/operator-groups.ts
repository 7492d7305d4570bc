/** Requests of the operators' pages to `/api/admin/groups`, and their answers. */
import { z } from "zod";
import { answerRows, answerText } from "./bounds";
import {
  GROUP_MODELS_MAX,
  GROUP_MULTIPLIERS_MAX,
  GROUP_NAME_MAX,
  MODEL_LENGTH_MAX,
  MULTIPLIER_LENGTH_MAX,
} from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { shownName } from "./shown-text";

export const groupView = z.object({
  id: answerText,
  name: answerText,
  /** Null for the list price. */
  multiplier: answerText.nullable(),
  /** The models that it may see; none for all. */
  models: answerRows(answerText),
  modelMultipliers: answerRows(z.object({ model: answerText, multiplier: answerText })),
  /** The number of its accounts. */
  members: z.number().int(),
});
const answer = z.object({ groups: answerRows(groupView) });

const model = z.string().min(1).max(MODEL_LENGTH_MAX);
const multiplier = z.string().trim().min(1).max(MULTIPLIER_LENGTH_MAX);
const terms = {
  name: shownName(GROUP_NAME_MAX),
  multiplier: multiplier.nullable(),
  models: z.array(model).max(GROUP_MODELS_MAX),
  modelMultipliers: z.array(z.strictObject({ model, multiplier })).max(GROUP_MULTIPLIERS_MAX),
};
const createRequest = z.strictObject({
  ...terms,
  models: terms.models.default([]),
  modelMultipliers: terms.modelMultipliers.default([]),
});
const changeRequest = z.strictObject(terms).partial();

const write = { proof: "recent", answer } as const;

export const groupEndpoints = {
  listGroups: {
    ...get("/api/admin/groups", byOperator("accounts:read")),
    command: "group list",
    answer,
  },
  createGroup: {
    ...post("/api/admin/groups", byOperator("prices:write")),
    command: "group create",
    body: createRequest,
    ...write,
  },
  changeGroup: {
    ...post("/api/admin/groups/{id}", byOperator("prices:write")),
    command: "group change",
    body: changeRequest,
    ...write,
  },
  deleteGroup: {
    ...post("/api/admin/groups/{id}/delete", byOperator("prices:write")),
    command: "group delete",
    ...write,
  },
} as const satisfies PageEndpoints;

export type GroupView = z.infer<typeof groupView>;
export type GroupBody = z.output<typeof createRequest>;
