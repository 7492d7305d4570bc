/** The items of a conversation in the Responses API. */
import { z } from "zod";
import { imageText, openObject } from "./bounds";
import { CONTENT_PARTS_MAX, documentForms, fileName, soundPart, text } from "./chat";
import { TOOL_CALL_ID_LENGTH_MAX } from "./limits";
import { unsupportedField } from "./neutral";
import { foreignKinds, unreadKinds } from "./response-events";
import { namespace, toolName, tools, word } from "./response-tools";

const itemType = "The kind of item; a message may leave it out";
const partType = "The kind of part";
const partText = "The text";
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

const inputText = openObject({
  type: z.literal("input_text").describe(partType),
  text: text.describe(partText),
});
const outputText = openObject({
  type: z.literal("output_text").describe(partType),
  text: text.describe(partText),
});
const refusal = openObject({
  type: z.literal("refusal").describe(partType),
  refusal: text.describe("The model's refusal"),
});
// The file's id comes first, so that it is named when it is why there is no address.
const inputImage = openObject({
  type: z.literal("input_image").describe(partType),
  file_id: unsupportedField,
  image_url: imageText.describe("An https: address, or the image itself as data:image/…;base64,"),
  detail: word.describe("How closely the model looks at the image, such as low or high"),
});
const inputFile = openObject({
  type: z.literal("input_file").describe(partType),
  file_id: unsupportedField,
  file_data: imageText.nullish().describe(documentForms),
  file_url: imageText.nullish().describe("The https: address of the document, without file_data"),
  filename: fileName,
}).superRefine(({ file_data: data, file_url: url }, context) => {
  if ((data ?? url ?? null) !== null) return;
  context.addIssue({
    code: "custom",
    path: ["file_data"],
    message: "send the document, or its address as file_url",
    params: { code: "missing_required_parameter" },
  });
});

export const messagePart = z.discriminatedUnion(
  "type",
  [inputText, inputImage, soundPart, inputFile, outputText, refusal],
  {
    error:
      'it must be "input_text", "input_image", "input_audio", "input_file", "output_text" or "refusal"',
  },
);
const outputPart = z.discriminatedUnion("type", [inputText, inputImage, inputFile], {
  error: 'it must be "input_text", "input_image" or "input_file"',
});
const partsOr = <Part extends z.ZodType>(part: Part) =>
  z.union([text, z.array(part).max(CONTENT_PARTS_MAX)], {
    error: "it must be a string or an array of parts",
  });

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
  arguments: text.describe("The arguments of the function, as JSON"),
});
const functionCallOutput = openObject({
  type: z.literal("function_call_output").describe(itemType),
  id: itemId,
  call_id: callId,
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
