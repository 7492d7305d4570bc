/**
 * Code for every example of the API reference, in three languages. A test runs each of them against
 * the running product.
 */
import { pythonOf, shellOf } from "../client/request-samples";
import type { Sample } from "../client/samples";
import type { EndpointRow } from "../contract/endpoint";
import { exampleAddresses, examples } from "../contract/examples";
import { inThree, nodeClient, type Place, pythonClient } from "./code";

/** What is called by a sample. */
interface ExampleCall {
  readonly row: EndpointRow;
  readonly place: Place;
  readonly address: string;
  readonly parameter: string;
  /** Null when the endpoint takes none. */
  readonly body: Readonly<Record<string, unknown>> | null;
}

export interface EndpointExample {
  /** The example's sentence; the endpoint's own where there is only one call. */
  readonly title: string;
  readonly samples: readonly Sample[];
}

const takesKey = ({ row }: ExampleCall) => row.admits.includes("apiKey");
const isFile = ({ row }: ExampleCall) => row.name === "getMedia";

function inCurl(call: ExampleCall): string {
  const { row, address, body } = call;
  const lines = [
    `curl "${address}"`,
    ...(row.method === "DELETE" ? ["--request DELETE"] : []),
    ...(takesKey(call) ? [`-H "Authorization: Bearer $RELAY_API_KEY"`] : []),
    ...(isFile(call) ? ["--output result.mp4"] : []),
    ...(body === null
      ? []
      : [
          `-H "Content-Type: application/json"`,
          `-d '${shellOf(JSON.stringify(body, null, 2)).replaceAll("\n", "\n  ")}'`,
        ]),
  ];
  return lines.join(" \\\n  ");
}

/** A JSON value as JavaScript: names without quotes where they need none. */
const nodeOf = (value: unknown) =>
  JSON.stringify(value, null, 2).replaceAll(/^( *)"([a-z_]\w*)":/gim, "$1$2:");

const pythonResults = {
  createChatCompletion: "print(answer.choices[0].message.content)",
  createImage: "print(answer.data[0].url)",
  getModel: "print(answer.id)",
};
const nodeResults = {
  createChatCompletion: "console.log(answer.choices[0].message.content);",
  createImage: "console.log(answer.data[0].url);",
  getModel: "console.log(answer.id);",
};
/** The endpoints that the `openai` package can call, and its function for each. */
const inPackage = {
  createChatCompletion: "chat.completions.create",
  createImage: "images.generate",
  getModel: "models.retrieve",
};
type Packaged = keyof typeof inPackage;
const isPackaged = (name: string): name is Packaged => Object.hasOwn(inPackage, name);

function pythonPackage(name: Packaged, { place, body, parameter }: ExampleCall): string {
  const given = Object.entries(body ?? {}).map(
    ([field, value]) => `    ${field}=${pythonOf(value, "    ")},\n`,
  );
  const call = `client.${inPackage[name]}(${body ? `\n${given.join("")}` : JSON.stringify(parameter)})`;
  if (body?.stream !== true)
    return `${pythonClient(place)}\nanswer = ${call}\n${pythonResults[name]}`;
  return `${pythonClient(place)}
for chunk in ${call}:
    for choice in chunk.choices:
        print(choice.delta.content or "", end="", flush=True)
    if chunk.usage:
        print("\\n", chunk.usage.total_tokens, "tokens")`;
}

function nodePackage(name: Packaged, { place, body, parameter }: ExampleCall): string {
  const call = `await client.${inPackage[name]}(${body ? nodeOf(body) : JSON.stringify(parameter)})`;
  if (body?.stream !== true)
    return `${nodeClient(place)}\nconst answer = ${call};\n${nodeResults[name]}`;
  return `${nodeClient(place)}
const stream = ${call};
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  if (chunk.usage) console.log("\\n", chunk.usage.total_tokens, "tokens");
}`;
}

function pythonRequest(call: ExampleCall): string {
  const { row, address, body } = call;
  const given = [
    `    "${address}",\n`,
    takesKey(call)
      ? `    headers={"Authorization": "Bearer " + os.environ["RELAY_API_KEY"]},\n`
      : "",
    body === null ? "" : `    json=${pythonOf(body, "    ")},\n`,
  ].join("");
  const result = isFile(call)
    ? `with open("result.mp4", "wb") as file:\n    file.write(answer.content)`
    : "print(answer.json())";
  return `# pip install requests
${takesKey(call) ? "import os\n" : ""}import requests

answer = requests.${row.method.toLowerCase()}(
${given})
answer.raise_for_status()
${result}`;
}

function nodeRequest(call: ExampleCall): string {
  const { row, address, body } = call;
  const key = `Authorization: \`Bearer \${process.env.RELAY_API_KEY}\``;
  const headers = takesKey(call)
    ? `  headers: { ${key}${body === null ? "" : ', "Content-Type": "application/json"'} },\n`
    : "";
  const given = [
    row.method === "GET" ? "" : `  method: "${row.method}",\n`,
    headers,
    body === null ? "" : `  body: JSON.stringify(${nodeOf(body).replaceAll("\n", "\n  ")}),\n`,
  ].join("");
  const result = isFile(call)
    ? `await writeFile("result.mp4", Buffer.from(await answer.arrayBuffer()));`
    : "console.log(await answer.json());";
  return `${isFile(call) ? 'import { writeFile } from "node:fs/promises";\n\n' : ""}const answer = await fetch("${address}"${given === "" ? "" : `, {\n${given}}`});
if (!answer.ok) throw new Error(await answer.text());
${result}`;
}

function listModelsSamples(call: ExampleCall): Sample[] {
  return inThree(
    inCurl(call),
    `${pythonClient(call.place)}\nfor model in client.models.list():\n    print(model.id)`,
    `${nodeClient(call.place)}\nfor await (const model of client.models.list()) console.log(model.id);`,
  );
}

function samplesOf(call: ExampleCall): Sample[] {
  const { name } = call.row;
  if (name === "listModels") return listModelsSamples(call);
  return isPackaged(name)
    ? inThree(inCurl(call), pythonPackage(name, call), nodePackage(name, call))
    : inThree(inCurl(call), pythonRequest(call), nodeRequest(call));
}

/** The endpoint's examples with the addresses of this installation. */
export function endpointExamples(row: EndpointRow, place: Place): EndpointExample[] {
  const { parameter = "", query } = exampleAddresses[row.name] ?? {};
  const path = row.path.replace(/\{\w+\}/, parameter);
  const address = `${place.origin}${path}${query === undefined ? "" : `?${query}`}`;
  const call: ExampleCall = { row, place, address, parameter, body: null };
  if (row.method !== "POST") return [{ title: row.summary, samples: samplesOf(call) }];
  return (examples[row.path] ?? []).map(({ summary, body }) => ({
    title: summary,
    samples: samplesOf({ ...call, body }),
  }));
}
