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
