/** What a request of the Responses API says of the context that its upstream keeps or shortens. */
import { z } from "zod";
import { openObject } from "./bounds";
import { neutral } from "./neutral";

const ID_LENGTH_MAX = 1000;
const STEPS_MAX = 8;
const kept = openObject({ id: z.string().min(1).max(ID_LENGTH_MAX).describe("Its id") });

export const contextFields = {
  access_programs: openObject({})
    .nullish()
    .describe("The upstream's programs that the request is part of, where the model takes it"),
  background_options: openObject({
    completion_window: neutral(
      ["soonest"],
      "unsupported_value",
      'only "soonest" is supported',
      "Only soonest, which has no effect",
    ),
    continuation_id: z
      .string()
      .max(ID_LENGTH_MAX)
      .nullish()
      .describe("Accepted for client libraries; it has no effect"),
  })
    .nullish()
    .describe("What belongs to background"),
  image: openObject({})
    .nullish()
    .describe("How the upstream shortens images, where the model takes it"),
  conversation: z
    .union([z.string().min(1).max(ID_LENGTH_MAX), kept])
    .nullish()
    .describe(
      "A conversation that the upstream keeps, where the model offers that; its whole context is held",
    ),
  prompt: kept
    .nullish()
    .describe(
      "A prompt that the upstream keeps, where the model offers that; its whole context is held",
    ),
  context_management: z
    .array(openObject({}))
    .max(STEPS_MAX)
    .nullish()
    .describe("How the upstream shortens the conversation, where the model offers that"),
  truncation: neutral(
    ["disabled", "auto"],
    "unsupported_value",
    'only "disabled" and "auto" are supported',
    "With auto an upstream leaves out the oldest items where the model offers that; else input that is too long is refused",
  ),
};
