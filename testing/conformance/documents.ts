/** Files in conversations: PDF and texts, where a model reads documents, and where it reads none. */
import { expect } from "vitest";
import { wholeText } from "../relay/whole-text";
import { refusing } from "./plainer";
import type { PerDialect, Situation } from "./situation";
import { block, chatAnswer, chatStream, messageAnswer, messageStream, openai } from "./upstreams";

const { id: model } = wholeText;
const channel = { models: { RelayV1: "upstream-name", [model]: "upstream-name" } };
const reads = { text: "hi", calls: [], end: "stop", error: null };
const chat = openai(
  chatStream([{ role: "assistant", content: "hi" }]),
  chatAnswer({ content: "hi" }),
);
const both: Situation["upstream"] = {
  ...chat,
  anthropic: {
    ...messageStream([block(0, { type: "text", text: "" }, { type: "text_delta", text: "hi" })]),
    ...messageAnswer([{ type: "text", text: "hi" }]),
  },
};
const PDF = "JVBERi0xLjQ=";
const url = `data:application/pdf;base64,${PDF}`;
const csv = "data:text/csv;base64,YSwy";
const source = { type: "base64", media_type: "application/pdf", data: PDF };
const document = { type: "document", title: "a.pdf", source };
const user = (...content: object[]) => ({ role: "user", content });
const file = (data: string) => ({ type: "file", file: { file_data: data, filename: "a.pdf" } });
const inputFile = (data: string) => ({
  ...{ type: "input_file", filename: "a.pdf", file_data: data },
});

/** A question about a PDF, and more of the conversation. */
const asking = (members: object, ...more: object[]): PerDialect<object> => ({
  chat: { ...members, messages: [user(file(url)), ...more] },
  messages: { ...members, messages: [user(document), ...more] },
  responses: { ...members, input: [user(inputFile(url)), ...more] },
});
const later = [
  { role: "assistant", content: "It is short." },
  { role: "user", content: "And now?" },
];
const unread = "This document cannot be read here, only its text: a.pdf";

export const documents: readonly Situation[] = [
  {
    sent: "an answer to a PDF",
    thread: "bestruirui/octopus#60",
    got: "400, or the model learned that it was left out",
    right: "the file, in the form of the upstream's API",
    ...{ upstream: both, channel, asks: asking({ model }), reads },
    check: (seen) => {
      const text = seen.at(-1)?.text ?? "";
      expect(text.includes(JSON.stringify(file(url))) || text.includes('"type":"document"')).toBe(
        true,
      );
      expect(text).toContain(PDF);
    },
  },
  {
    sent: "a refusal of the part `file`",
    thread: "BerriAI/litellm#11529",
    got: "400 for every request",
    right: "asked again at once in the form of an image",
    upstream: refusing('"type":"file"', "Invalid content part type: file"),
    ...{ channel, asks: asking({ model }), reads },
    check: (seen) => {
      expect(seen).toHaveLength(2);
      expect(seen[1]?.body.messages).toEqual([user({ type: "image_url", image_url: { url } })]);
    },
  },
  {
    sent: "a question about a PDF to a model that reads none",
    thread: "NitroRCr/AIaW#99",
    got: "in Messages an answer without the file, charged",
    right: "400 that says so, in every dialect",
    ...{ upstream: both, asks: asking({}), ends: [] },
    reads: {
      error: { status: 400, message: expect.stringMatching(/RelayV1 reads none as files/) },
    },
    check: (seen) => expect(seen).toEqual([]),
  },
  {
    sent: "an answer to a PDF of an earlier turn, of a model that reads none",
    thread: "willdady/platypus#328",
    got: "400 for every turn from then on",
    right: "that it was not read",
    ...{ upstream: both, asks: asking({}, ...later), reads },
    check: (seen) => {
      expect(seen.at(-1)?.text).toContain(unread);
      expect(seen.at(-1)?.text).not.toContain(PDF);
    },
  },
  {
    sent: "an answer to a PDF that a tool read, in the Responses API",
    thread: "QwenLM/qwen-code#2028",
    got: "400 for every turn from then on",
    right: "that it was not read",
    upstream: both,
    asks: {
      chat: {},
      messages: {},
      responses: {
        input: [
          { role: "user", content: "hello" },
          { type: "function_call", call_id: "c1", name: "get_time", arguments: "{}" },
          { type: "function_call_output", call_id: "c1", output: [inputFile(url)] },
        ],
      },
    },
    reads,
    check: (seen, spoken) => {
      if (spoken === "responses") expect(seen.at(-1)?.text).toContain(unread);
    },
  },
  {
    sent: "an answer to a text as a file",
    thread: "vllm-project/vllm#57774",
    got: "400",
    right: "its text, for every model",
    upstream: both,
    asks: {
      chat: { messages: [user(file(csv))] },
      messages: {},
      responses: { input: [user(inputFile(csv))] },
    },
    reads,
    check: (seen, spoken) => {
      if (spoken !== "messages") expect(seen.at(-1)?.text).toContain('a.pdf\\n\\na,2"');
    },
  },
];
