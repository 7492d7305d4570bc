/** The models that nobody answers, as the operators' pages are told of them. */

import { z } from "zod";
import { answerRows, answerText } from "./bounds";

/** `hasChannel`: a channel offers the model but takes no requests, which also keeps the sandbox away. */
export const unservedModels = answerRows(z.object({ model: answerText, hasChannel: z.boolean() }));
export type UnservedModel = z.infer<typeof unservedModels>[number];
