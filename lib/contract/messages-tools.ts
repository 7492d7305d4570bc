/** The tools of a request in the Messages API. */
import { z } from "zod";
import { openObject } from "./bounds";
import { anyObject, name, text } from "./messages-blocks";

const TOOLS_MAX = 512;
const TYPE_LENGTH_MAX = 100;

const toolType = "custom, or nothing, for a tool of yours; tools of other kinds are left out";

const customTool = openObject({
  type: z.literal("custom").nullish().describe(toolType),
  name: name.describe("The name of the tool"),
  description: text.nullish().describe("What the tool does"),
  input_schema: anyObject.describe("The JSON schema of the tool's input"),
  strict: z
    .boolean()
    .nullish()
    .describe("Whether the input must match the schema exactly; by default the upstream decides"),
});
/** A tool that runs at another provider, or whose definition only that provider knows. */
const foreignTool = openObject({
  type: z
    .string()
    .max(TYPE_LENGTH_MAX)
    .regex(/^(?!custom$)[\w.-]+$/)
    .meta({ title: "text", description: toolType }),
});

export const tools = z
  .array(
    z.union([customTool, foreignTool], {
      error: "it must be a tool with `name` and `input_schema`",
    }),
  )
  .max(TOOLS_MAX);

const choiceType =
  "Whether the model calls tools: if it decides to, at least one, a certain one, or none";
const parallel = {
  disable_parallel_tool_use: z.boolean().nullish().meta({
    default: false,
    description: "Whether one answer may call one tool at most",
  }),
};

export const toolChoice = z.discriminatedUnion(
  "type",
  [
    openObject({ type: z.enum(["auto", "any"]).describe(choiceType), ...parallel }),
    openObject({
      type: z.literal("tool").describe(choiceType),
      name: name.describe("The name of the tool; needed with the type tool"),
      ...parallel,
    }),
    openObject({ type: z.literal("none").describe(choiceType) }),
  ],
  { error: 'it must be "auto", "any", "tool" or "none"' },
);
