/** The tools of a request in the Responses API. */
import { z } from "zod";
import { openObject } from "./bounds";
import { text } from "./chat";
import { TOOL_NAME_LENGTH_MAX } from "./limits";

const TOOLS_MAX = 1024;
const WORD_LENGTH_MAX = 40;

export const word = z.string().max(WORD_LENGTH_MAX).nullish();
export const toolName = z.string().min(1).max(TOOL_NAME_LENGTH_MAX);
export const namespace = z.string().max(TOOL_NAME_LENGTH_MAX).nullish();

const toolType = "The kind of tool; tools of other kinds than yours are left out";
const named = toolName.describe("The name of the tool or the namespace");
const description = text.nullish().describe("What it does");

const functionTool = openObject({
  type: z.literal("function").describe(toolType),
  name: named,
  description,
  parameters: openObject({}).nullish().describe("The parameters of the function as a JSON schema"),
  strict: z
    .boolean()
    .nullish()
    .describe(
      "Whether the arguments must match the schema exactly; by default the upstream decides",
    ),
});
const customTool = openObject({
  type: z.literal("custom").describe(toolType),
  name: named,
  description,
  format: openObject({
    type: word.describe("The kind of format: text or grammar"),
    syntax: word.describe("The language of the grammar: lark or regex"),
    definition: text
      .nullish()
      .describe("The grammar; the model is told it, but it is not enforced"),
  })
    .nullish()
    .describe("The form of the tool's input; by default any text"),
});
export const simpleTool = z.discriminatedUnion("type", [functionTool, customTool], {
  error: 'it must be "function" or "custom"',
});
const namespaceTool = openObject({
  type: z.literal("namespace").describe(toolType),
  name: named,
  description,
  tools: z.array(simpleTool).max(TOOLS_MAX).describe("The tools of the namespace"),
});
export const ownTool = z.discriminatedUnion("type", [functionTool, customTool, namespaceTool]);
/** A tool that would run upstream: it is left out. */
const otherTool = openObject({
  type: z
    .string()
    .min(1)
    .max(WORD_LENGTH_MAX)
    // With `abort`, the fault of one of our own tools is reported instead.
    .regex(/^(?!(?:function|custom|namespace)$)/, { abort: true })
    .meta({ title: "text", description: toolType }),
});

export const tools = z
  .array(z.union([ownTool, otherTool], { error: "it must be an object with a type" }))
  .max(TOOLS_MAX);

const chosenName = toolName.nullish().describe("The name of the tool");
const chosenNamespace = namespace.describe("The namespace of the tool");

export const toolChoice = z.union(
  [
    z.enum(["none", "auto", "required"]),
    openObject({
      type: z
        .string()
        .min(1)
        .max(WORD_LENGTH_MAX)
        .describe("The kind of tool, or allowed_tools for a choice among several"),
      name: chosenName,
      namespace: chosenNamespace,
      mode: z
        .enum(["auto", "required"])
        .nullish()
        .describe("Whether one of the allowed tools must be called"),
      tools: z
        .array(
          openObject({
            type: word.describe("The kind of tool"),
            name: chosenName,
            namespace: chosenNamespace,
          }),
        )
        .max(TOOLS_MAX)
        .nullish()
        .describe("The allowed tools"),
    }),
  ],
  { error: 'it must be "none", "auto", "required" or an object that names a tool' },
);
