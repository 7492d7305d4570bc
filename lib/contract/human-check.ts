/** The check that a person signs up: work for the browser, where the operator wants it. */
import { z } from "zod";
import { answerText } from "./bounds";
import type { HumanChallenge } from "./human-check-cost";
import { HUMAN_CHECK_LENGTH_MAX, HUMAN_CHECK_TRIES_MAX } from "./limits";
import { get, type PageEndpoints } from "./page-endpoint";

const challenge: z.ZodType<HumanChallenge> = z.object({
  question: answerText,
  salt: answerText,
  target: answerText,
  tries: z.number().int().min(1).max(HUMAN_CHECK_TRIES_MAX),
});

/** The question, a point, and the number that was found. */
export const humanCheckText = z.string().min(1).max(HUMAN_CHECK_LENGTH_MAX);

export const humanCheckEndpoints = {
  /** Null where no check is wanted. */
  showHumanCheck: {
    ...get("/api/human-check", { who: "anyone" }),
    answer: z.object({ challenge: challenge.nullable() }),
  },
} as const satisfies PageEndpoints;
