/** Incidents as the status page and the operators' page show them. */
import { z } from "zod";
import { answerRows, answerText, moment } from "./bounds";
import { incidentStates } from "./states";

const incidentUpdate = z.object({
  number: z.int(),
  state: z.enum(incidentStates),
  /** At least one language is there, of the title too. */
  textEn: answerText.nullable(),
  textZh: answerText.nullable(),
  at: moment,
});

export const incident = z.object({
  id: answerText,
  titleEn: answerText.nullable(),
  titleZh: answerText.nullable(),
  /** Empty for the whole service. */
  models: answerRows(answerText),
  beganAt: moment,
  resolvedAt: moment.nullable(),
  /** The newest first; never empty. */
  updates: answerRows(incidentUpdate),
});

export type IncidentView = z.infer<typeof incident>;
export type IncidentUpdateView = z.infer<typeof incidentUpdate>;
