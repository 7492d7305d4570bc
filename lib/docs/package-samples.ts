/** Code that calls an endpoint with the official packages `openai` and `anthropic`. */
import { pythonOf } from "../client/request-samples";
import { anthropicInNode, anthropicInPython, nodeClient, type Place, pythonClient } from "./code";

interface PackagedCall {
  readonly client: "openai" | "anthropic";
  /** The package's function: in Node.js, and in Python where its name is another. */
  readonly call: string;
  readonly inPython?: string;
  /** What a sample prints of the answer; null for an answer without content. */
  readonly shown: string | null;
  /** Whether the answer is a list, of whose items `shown` is printed. */
  readonly isList?: true;
  /** What a sample does with each event of a streamed answer. */
  readonly events?: { readonly python: string; readonly node: string };
}

const chatEvents = {
  python: `    for choice in event.choices:
        print(choice.delta.content or "", end="", flush=True)
    if event.usage:
        print("\\n", event.usage.total_tokens, "tokens")`,
  node: `  process.stdout.write(event.choices[0]?.delta.content ?? "");
  if (event.usage) console.log("\\n", event.usage.total_tokens, "tokens");`,
};
const messageEvents = {
  python: `    if event.type == "content_block_delta" and event.delta.type == "text_delta":
        print(event.delta.text, end="", flush=True)`,
  node: `  if (event.type === "content_block_delta" && event.delta.type === "text_delta")
    process.stdout.write(event.delta.text);`,
};
const responseEvents = {
  python: `    if event.type == "response.output_text.delta":
        print(event.delta, end="", flush=True)`,
  node: `  if (event.type === "response.output_text.delta") process.stdout.write(event.delta);`,
};

const packagedCalls: Readonly<Record<string, PackagedCall>> = {
  createChatCompletion: {
    client: "openai",
    call: "chat.completions.create",
    shown: "choices[0].message.content",
    events: chatEvents,
  },
  createMessage: {
    client: "anthropic",
    call: "messages.create",
    shown: "content[0].text",
    events: messageEvents,
  },
  countMessageTokens: {
    client: "anthropic",
    call: "messages.countTokens",
    inPython: "messages.count_tokens",
    shown: "input_tokens",
  },
  createResponse: {
    client: "openai",
    call: "responses.create",
    shown: "output_text",
    events: responseEvents,
  },
  compactResponse: { client: "openai", call: "responses.compact", shown: "object" },
  getResponse: { client: "openai", call: "responses.retrieve", shown: "output_text" },
  cancelResponse: { client: "openai", call: "responses.cancel", shown: "status" },
  deleteResponse: { client: "openai", call: "responses.delete", shown: null },
  listInputItems: {
    client: "openai",
    call: "responses.inputItems.list",
    inPython: "responses.input_items.list",
    shown: "id",
    isList: true,
  },
  createImage: { client: "openai", call: "images.generate", shown: "data[0].url" },
  createVideoJob: { client: "openai", call: "videos.create", shown: "id" },
  listVideoJobs: { client: "openai", call: "videos.list", shown: "id", isList: true },
  getVideoJob: { client: "openai", call: "videos.retrieve", shown: "status" },
  deleteVideoJob: { client: "openai", call: "videos.delete", shown: null },
  listModels: { client: "openai", call: "models.list", shown: "id", isList: true },
  getModel: { client: "openai", call: "models.retrieve", shown: "id" },
};

/** What a sample sends. */
interface Given {
  readonly place: Place;
  readonly parameter: string;
  readonly body: Readonly<Record<string, unknown>> | null;
}

/** A JSON value as JavaScript: names without quotes where they need none. */
export const nodeOf = (value: unknown) =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"([a-z_]\w*)":/gim, "$1$2:");

const parameterText = (parameter: string) => (parameter === "" ? "" : JSON.stringify(parameter));

function pythonPackage(packaged: PackagedCall, { place, parameter, body }: Given): string {
  const { client, shown, isList, events } = packaged;
  const fields = Object.entries(body ?? {}).map(
    ([field, value]) => `    ${field}=${pythonOf(value, "    ")},\n`,
  );
  const call = `client.${packaged.inPython ?? packaged.call}(${body ? `\n${fields.join("")}` : parameterText(parameter)})`;
  const head = client === "openai" ? pythonClient(place) : anthropicInPython(place);
  if (body?.stream === true && events) return `${head}\nfor event in ${call}:\n${events.python}`;
  if (isList) return `${head}\nfor item in ${call}:\n    print(item.${shown})`;
  if (shown === null) return `${head}\n${call}\nprint("deleted")`;
  return `${head}\nanswer = ${call}\nprint(answer.${shown})`;
}

function nodePackage(packaged: PackagedCall, { place, parameter, body }: Given): string {
  const { client, shown, isList, events } = packaged;
  const call = `client.${packaged.call}(${body ? nodeOf(body) : parameterText(parameter)})`;
  const head = client === "openai" ? nodeClient(place) : anthropicInNode(place);
  if (body?.stream === true && events)
    return `${head}\nconst stream = await ${call};\nfor await (const event of stream) {\n${events.node}\n}`;
  if (isList) return `${head}\nfor await (const item of ${call}) console.log(item.${shown});`;
  if (shown === null) return `${head}\nawait ${call};\nconsole.log("deleted");`;
  return `${head}\nconst answer = await ${call};\nconsole.log(answer.${shown});`;
}

/** Null for an endpoint that no official package has. */
export function packageSamples(
  name: string,
  given: Given,
): { python: string; node: string } | null {
  const packaged = packagedCalls[name];
  return packaged
    ? { python: pythonPackage(packaged, given), node: nodePackage(packaged, given) }
    : null;
}
