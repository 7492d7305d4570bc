/** The event streams of answers, as the API document describes them. */
export const reference = (name: string) => ({ $ref: `#/components/schemas/${name}` });

/** One event of the stream, in OpenAPI's description: its data is JSON text, or the end marker. */
const jsonText = (name: string) => ({
  type: "string",
  contentMediaType: "application/json",
  contentSchema: reference(name),
});
export const eventStream = {
  type: "object",
  description:
    "Events whose data is a ChatCompletionChunk or an error body; the data of the last event is [DONE]. A comment follows 10 to 15 seconds of silence",
  properties: {
    data: {
      anyOf: [
        { type: "string", const: "[DONE]" },
        jsonText("ChatCompletionChunk"),
        jsonText("Failure"),
      ],
    },
  },
  required: ["data"],
};

const namedEvents = (name: string, last: string) => ({
  type: "object",
  description: `Events whose name is the type of their data; the last is ${last}`,
  properties: { event: { type: "string" }, data: jsonText(name) },
  required: ["event", "data"],
});
export const messageStream = namedEvents(
  "MessagesEvent",
  "message_stop, or error; a ping follows 10 to 15 seconds of silence",
);
export const responseStream = namedEvents(
  "ResponsesEvent",
  "response.completed, response.incomplete or response.failed; a comment follows 10 to 15 seconds of silence",
);

export const imageStream = namedEvents(
  "ImageEvent",
  "image_generation.completed; then comes [DONE]",
);
export const taskStream = {
  type: "object",
  description:
    "Events named state, with the task as its data, and one named end; a comment follows 10 seconds of silence. It ends after 290 seconds: ask again",
  properties: { event: { type: "string", enum: ["state", "end"] }, data: jsonText("VideoTask") },
};
