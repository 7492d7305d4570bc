/** Code that sends a chat of the playground again, in each API in which text can be asked for. */
import type { ChatSent } from "./chat-stream";
import { curlOf, pythonOf, type SampleForm, withoutInlineImages } from "./request-samples";
import { KEY_PLACEHOLDER, type Sample } from "./samples";
import { messagesBody, responsesBody } from "./text-bodies";

interface Library {
  readonly python: (baseUrl: string) => string;
  readonly node: (baseUrl: string) => string;
}

const openai: Library = {
  python: (baseUrl) => `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${KEY_PLACEHOLDER}")`,
  node: (baseUrl) => `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${KEY_PLACEHOLDER}" });`,
};
const anthropic: Library = {
  python: (baseUrl) => `# pip install anthropic
from anthropic import Anthropic

client = Anthropic(base_url="${baseUrl.replace(/\/v1$/, "")}", api_key="${KEY_PLACEHOLDER}")`,
  node: (baseUrl) => `// npm install @anthropic-ai/sdk
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${baseUrl.replace(/\/v1$/, "")}", apiKey: "${KEY_PLACEHOLDER}" });`,
};

interface TextForm {
  readonly name: SampleForm["name"];
  readonly path: string;
  readonly library: Library;
  /** The library's function, and where its answer has the text. */
  readonly call: string;
  readonly shown: string;
  readonly bodyOf: (chat: ChatSent) => object;
  /** Fields that the Python library has no argument for. */
  readonly extraInPython?: readonly string[];
}

const forms: readonly TextForm[] = [
  {
    name: "chat",
    path: "/chat/completions",
    library: openai,
    call: "client.chat.completions.create",
    shown: "answer.choices[0].message.content",
    bodyOf: (chat) => chat,
  },
  {
    name: "responses",
    path: "/responses",
    library: openai,
    call: "client.responses.create",
    shown: "answer.output_text",
    bodyOf: responsesBody,
  },
  {
    name: "messages",
    path: "/messages",
    library: anthropic,
    call: "client.messages.create",
    shown: "answer.content[0].text",
    bodyOf: messagesBody,
    extraInPython: ["temperature", "top_p"],
  },
];

/** A body as the arguments of a Python function. */
function pythonArguments(body: object, extra: readonly string[]): string {
  const fields = Object.entries(body);
  const rest = fields.filter(([field]) => extra.includes(field));
  return [
    ...fields.filter(([field]) => !extra.includes(field)),
    ...(rest.length === 0 ? [] : [["extra_body", Object.fromEntries(rest)] as const]),
  ]
    .map(([field, value]) => `    ${field}=${pythonOf(value, "    ")},\n`)
    .join("");
}

function sampleForm(baseUrl: string, given: object, form: TextForm): SampleForm {
  const { name, path, library, call, shown, extraInPython = [] } = form;
  const body = withoutInlineImages(given);
  const json = JSON.stringify(body, null, 2);
  return {
    name,
    samples: [
      { language: "curl", code: curlOf(`${baseUrl}${path}`, json) },
      {
        language: "python",
        code: `${library.python(baseUrl)}

answer = ${call}(
${pythonArguments(body, extraInPython)})
print(${shown})`,
      },
      {
        language: "node",
        code: `${library.node(baseUrl)}

const answer = await ${call}(${json});
console.log(${shown});`,
      },
    ],
  };
}

export const textForms = (baseUrl: string, chat: ChatSent): SampleForm[] =>
  forms.map((form) => sampleForm(baseUrl, form.bodyOf(chat), form));

/** Code that sends a request again as it came, in one piece where it was a stream. */
export function samplesOfRequest(
  baseUrl: string,
  dialect: string | null,
  { stream, stream_options, ...body }: Record<string, unknown>,
): readonly Sample[] {
  const form = forms.find(({ name }) => name === dialect) ?? forms[0];
  return form === undefined ? [] : sampleForm(baseUrl, body, form).samples;
}
