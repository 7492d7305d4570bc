/** The items of an answer of the Responses API, and the events of one that is streamed. */
import { z } from "zod";

const partFields = {
  type: z.enum(["output_text", "refusal", "summary_text"]).describe("The kind of part"),
  text: z.string().optional().describe("The text"),
  refusal: z.string().optional().describe("The model's refusal"),
};
const callId = "The id of the tool call, which its output names";

/** The fields of an item of an answer. */
export const outputFields = {
  type: z
    .enum(["message", "reasoning", "function_call", "custom_tool_call"])
    .describe("The kind of item"),
  id: z.string().describe("The id of the item"),
  status: z
    .enum(["in_progress", "completed", "incomplete"])
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
