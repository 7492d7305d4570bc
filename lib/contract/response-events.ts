/** The items of an answer of the Responses API, and the events of one that is streamed. */
import { z } from "zod";

/** What tools that run at an upstream leave in a conversation, and what it says of its context. */
export const foreignKinds = [
  "web_search_call",
  "file_search_call",
  "code_interpreter_call",
  "image_generation_call",
  "computer_call",
  "computer_call_output",
  "mcp_list_tools",
  "mcp_call",
  "mcp_approval_request",
  "mcp_approval_response",
  "compaction",
] as const;
/** What clients and other providers keep in a conversation, and no model reads. */
export const unreadKinds = [
  "compaction_trigger",
  "compaction_summary",
  "context_compaction",
  "ghost_snapshot",
  "program",
  "program_output",
  "shell_call",
  "shell_call_output",
  "apply_patch_call",
  "apply_patch_call_output",
] as const;
/** The last event of a stream that has not failed. */
export const responseEndings: readonly unknown[] = ["response.completed", "response.incomplete"];

/** The events of those tools. */
const foreignEvents = [
  "response.web_search_call.in_progress",
  "response.web_search_call.searching",
  "response.web_search_call.completed",
  "response.file_search_call.in_progress",
  "response.file_search_call.searching",
  "response.file_search_call.completed",
  "response.code_interpreter_call.in_progress",
  "response.code_interpreter_call.interpreting",
  "response.code_interpreter_call.completed",
  "response.code_interpreter_call_code.delta",
  "response.code_interpreter_call_code.done",
  "response.image_generation_call.in_progress",
  "response.image_generation_call.generating",
  "response.image_generation_call.partial_image",
  "response.image_generation_call.completed",
  "response.mcp_list_tools.in_progress",
  "response.mcp_list_tools.completed",
  "response.mcp_list_tools.failed",
  "response.mcp_call.in_progress",
  "response.mcp_call_arguments.delta",
  "response.mcp_call_arguments.done",
  "response.mcp_call.completed",
  "response.mcp_call.failed",
  "response.output_text.annotation.added",
] as const;

const partFields = {
  type: z.enum(["output_text", "refusal", "summary_text"]).describe("The kind of part"),
  text: z.string().optional().describe("The text"),
  refusal: z.string().optional().describe("The model's refusal"),
};
const callId = "The id of the tool call, which its output names";

/** The fields of an item of an answer. */
export const outputFields = {
  type: z
    .enum([
      "message",
      "reasoning",
      "function_call",
      "custom_tool_call",
      "tool_search_call",
      ...foreignKinds,
    ])
    .describe("The kind of item"),
  id: z.string().describe("The id of the item"),
  status: z
    .enum([
      "in_progress",
      "completed",
      "incomplete",
      "searching",
      "interpreting",
      "generating",
      "calling",
      "failed",
    ])
    .optional()
    .describe("Whether the item is whole"),
  role: z.literal("assistant").optional().describe("Who speaks; on a message"),
  content: z
    .array(z.looseObject(partFields))
    .optional()
    .describe("The text in parts; on a message"),
  summary: z
    .array(
      z.looseObject({
        type: z.literal("summary_text").describe("The kind of part"),
        text: z.string().describe("The text"),
      }),
    )
    .optional()
    .describe("What the model thought; on reasoning"),
  call_id: z.string().optional().describe(callId),
  name: z.string().optional().describe("The name of the tool; on a tool call"),
  namespace: z.string().optional().describe("The namespace of the tool, where it has one"),
  arguments: z
    .string()
    .optional()
    .describe("The arguments of the function, as JSON; on a function_call"),
  input: z
    .string()
    .optional()
    .describe("The input of the tool, as plain text; on a custom_tool_call"),
};

/** One event of a streamed answer. */
export const responsesEvent = z.looseObject({
  type: z
    .enum([
      "response.created",
      ...foreignEvents,
      "response.in_progress",
      "response.output_item.added",
      "response.content_part.added",
      "response.output_text.delta",
      "response.output_text.done",
      "response.refusal.delta",
      "response.refusal.done",
      "response.content_part.done",
      "response.reasoning_summary_part.added",
      "response.reasoning_summary_text.delta",
      "response.reasoning_summary_text.done",
      "response.reasoning_summary_part.done",
      "response.function_call_arguments.delta",
      "response.function_call_arguments.done",
      "response.custom_tool_call_input.delta",
      "response.custom_tool_call_input.done",
      "response.output_item.done",
      "response.completed",
      "response.incomplete",
      "response.failed",
    ])
    .describe("The kind of event; the event has the same name"),
  sequence_number: z.int().describe("The position of the event, from 0"),
  response: z
    .looseObject({ id: z.string().describe("The id of the response") })
    .optional()
    .describe("The response so far; in the first two events and the last one"),
  output_index: z.int().optional().describe("The position of the item in the output"),
  item: z
    .looseObject(outputFields)
    .optional()
    .describe("The item; in the events that begin and end it"),
  item_id: z.string().optional().describe("The id of the item that the event belongs to"),
  content_index: z.int().optional().describe("The position of the part in a message"),
  summary_index: z.int().optional().describe("The position of the part in a summary"),
  part: z
    .looseObject(partFields)
    .optional()
    .describe("The part; in the events that begin and end it"),
  delta: z.string().optional().describe("The next piece of the text, the arguments or the input"),
  text: z.string().optional().describe("The whole text, once it is written"),
  refusal: z.string().optional().describe("The whole refusal, once it is written"),
  arguments: z.string().optional().describe("The whole arguments, once they are written"),
  input: z.string().optional().describe("The whole input of a custom tool, once it is written"),
});
