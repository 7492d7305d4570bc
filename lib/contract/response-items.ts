/** The items of a conversation in the Responses API. */
import { z } from "zod";
import { openObject } from "./bounds";
import { CONTENT_PARTS_MAX, text } from "./chat";
import { TOOL_CALL_ID_LENGTH_MAX } from "./limits";
import { foreignKinds, unreadKinds } from "./response-events";
import { messagePart, outputPart, partsOr, partText, partType } from "./response-parts";
import { namespace, toolName, tools } from "./response-tools";

const itemType = "The kind of item; a message may leave it out";
const content =
  "The message: text, or parts of text, images, sounds and documents; the model's own reasoning";
const output = "The result of the tool: text, or parts of text, images and documents";

const itemId = z
  .string()
  .max(TOOL_CALL_ID_LENGTH_MAX)
  .nullish()
  .describe("The id of the item; a reference names a stored item by it");
const callId = z
  .string()
  .min(1)
  .max(TOOL_CALL_ID_LENGTH_MAX)
  .describe("The id of the tool call, which its output names");
const calledName = toolName.describe("The name of the tool");
const calledNamespace = namespace.describe("The namespace of the tool");

const messageItem = openObject({
  type: z.literal("message").optional().describe(itemType),
  id: itemId,
  role: z
    .enum(["user", "assistant", "system", "developer"])
    .describe("Who speaks: the user, the model, or the instructions"),
  content: partsOr(messagePart).describe(content),
});
const functionCall = openObject({
  type: z.literal("function_call").describe(itemType),
  id: itemId,
  call_id: callId,
  name: calledName,
  namespace: calledNamespace,
  arguments: text.nullish().describe("The arguments of the function, as JSON; none is no argument"),
});
const functionCallOutput = openObject({
  type: z.literal("function_call_output").describe(itemType),
  id: itemId,
  call_id: callId.nullish(),
  output: partsOr(outputPart).describe(output),
});
const customToolCall = openObject({
  type: z.literal("custom_tool_call").describe(itemType),
  id: itemId,
  call_id: callId,
  name: calledName,
  namespace: calledNamespace,
  input: text.describe("The input of the tool, as plain text"),
});
const customToolCallOutput = openObject({
  type: z.literal("custom_tool_call_output").describe(itemType),
  id: itemId,
  call_id: callId,
  output: partsOr(outputPart).describe(output),
});
const reasoningItem = openObject({
  type: z.literal("reasoning").describe(itemType),
  id: itemId,
  summary: z
    .array(
      openObject({
        type: z.literal("summary_text").describe(partType),
        text: text.describe(partText),
      }),
    )
    .max(CONTENT_PARTS_MAX)
    .describe("The summary of the reasoning, passed on where its content is missing"),
  content: z
    .array(
      openObject({
        type: z.literal("reasoning_text").describe(partType),
        text: text.describe(partText),
      }),
    )
    .max(CONTENT_PARTS_MAX)
    .nullish()
    .describe(content),
  encrypted_content: text
    .nullish()
    .describe("What came with the reasoning before a tool call; another provider's has no effect"),
});
const shellCall = openObject({
  type: z.literal("local_shell_call").describe(itemType),
  id: itemId,
  call_id: callId,
  action: openObject({}).describe("What the shell was to do"),
});
// Its id is that of the call, where it has no other.
const shellCallOutput = openObject({
  type: z.literal("local_shell_call_output").describe(itemType),
  id: itemId,
  call_id: callId.nullish(),
  output: text.describe(output),
});
const itemTools = tools.describe("The tools that the model may call besides");
/** Codex offers its tools within the conversation. */
const additionalTools = openObject({
  type: z.literal("additional_tools").describe(itemType),
  id: itemId,
  tools: itemTools,
});
/** A search for tools that the client runs. Its arguments may be anything. */
const toolSearchCall = openObject({
  type: z.literal("tool_search_call").describe(itemType),
  id: itemId,
  call_id: callId.nullish(),
});
const toolSearchOutput = openObject({
  type: z.literal("tool_search_output").describe(itemType),
  id: itemId,
  call_id: callId.nullish(),
  tools: itemTools,
});
/** What tools that run at an upstream left in a conversation: where chat is asked, it is left out. */
const foreignItem = openObject({
  type: z.enum([...foreignKinds, ...unreadKinds]).describe(itemType),
  id: itemId,
});
const itemReference = openObject({
  type: z.literal("item_reference").describe(itemType),
  id: z
    .string()
    .min(1)
    .max(TOOL_CALL_ID_LENGTH_MAX)
    .describe("The id of the item; a reference names a stored item by it"),
});

export const inputItem = z.discriminatedUnion(
  "type",
  [
    messageItem,
    functionCall,
    functionCallOutput,
    customToolCall,
    customToolCallOutput,
    reasoningItem,
    shellCall,
    shellCallOutput,
    additionalTools,
    toolSearchCall,
    toolSearchOutput,
    foreignItem,
    itemReference,
  ],
  {
    error:
      "only messages, calls of functions, custom tools and the local shell, their outputs, reasoning, what tools of other providers left, and references to items are supported",
  },
);
