/** Requests of the operators' pages to `/api/admin/incidents`, and their answers. */
import { z } from "zod";
import { answerRows, moment } from "./bounds";
import { incident } from "./incidents";
import {
  INCIDENT_MODELS_MAX,
  INCIDENT_TEXT_MAX,
  INCIDENT_TITLE_MAX,
  MODEL_LENGTH_MAX,
} from "./limits";
import { byOperator, get, type PageEndpoints, post } from "./page-endpoint";
import { shownName } from "./shown-text";
import { incidentStates, statusPageRules } from "./states";

const answer = z.object({
  /** Who sees the status page. */
  shownTo: z.enum(statusPageRules),
  incidents: answerRows(incident),
});

/** Null for a language that is not written. */
const title = shownName(INCIDENT_TITLE_MAX).nullable();
const text = z.string().trim().min(1).max(INCIDENT_TEXT_MAX).nullable().default(null);
const update = { state: z.enum(incidentStates), textEn: text, textZh: text };

const openRequest = z.strictObject({
  titleEn: title,
  titleZh: title,
  /** None for the whole service. */
  models: z.array(z.string().min(1).max(MODEL_LENGTH_MAX)).max(INCIDENT_MODELS_MAX).default([]),
  /** Null for now. */
  beganAt: moment.nullable(),
  ...update,
  state: update.state.default("investigating"),
});

const updateRequest = z.strictObject(update);

export const incidentEndpoints = {
  listIncidents: {
    ...get("/api/admin/incidents", byOperator("settings:read")),
    command: "incident list",
    answer,
  },
  openIncident: {
    ...post("/api/admin/incidents", byOperator("notices:write")),
    command: "incident open",
    proof: "recent",
    body: openRequest,
    answer,
  },
  updateIncident: {
    ...post("/api/admin/incidents/{id}/updates", byOperator("notices:write")),
    command: "incident update",
    proof: "recent",
    body: updateRequest,
    answer,
  },
} as const satisfies PageEndpoints;

export type OpenIncidentBody = z.input<typeof openRequest>;
export type UpdateIncidentBody = z.input<typeof updateRequest>;
