/** The body of every error answer. */
import { z } from "zod";

export const failureBody = z.object({
  error: z.looseObject({
    message: z.string(),
    type: z.string(),
    param: z.string().nullable(),
    code: z.string(),
  }),
});

/** Why a task, or one of several images, failed. */
export const failureReason = z.object({
  code: z.string().describe("The failure's code"),
  message: z.string().describe("What happened, in a sentence"),
});
