/**
 * Code for every example of the API reference, in three languages. A test runs each of them against
 * the running product.
 */
import { pythonOf, shellOf } from "../client/request-samples";
import type { Sample } from "../client/samples";
import type { EndpointRow } from "../contract/endpoint";
import { exampleAddresses, examples } from "../contract/examples";
import { inThree, type Place } from "./code";
import { nodeOf, packageSamples } from "./package-samples";

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

/** The variable with the key; null where none is needed. */
function keyName({ row: { admits } }: ExampleCall): string | null {
  if (admits.includes("apiKey")) return "RELAY_API_KEY";
  return admits.includes("managementKey") ? "RELAY_MANAGEMENT_KEY" : null;
}
const isEvents = ({ row }: ExampleCall) => row.name === "streamVideoTask";
const isFile = ({ row }: ExampleCall) => row.name === "getMedia" || row.name === "getVideoContent";

function inCurl(call: ExampleCall): string {
  const { row, address, body } = call;
  const key = keyName(call);
  const usual = body === null ? "GET" : "POST";
  const lines = [
    `curl "${address}"`,
    ...(row.method === usual ? [] : [`--request ${row.method}`]),
    ...(key === null ? [] : [`-H "Authorization: Bearer $${key}"`]),
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

function pythonRequest(call: ExampleCall): string {
  const { row, address, body } = call;
  const name = keyName(call);
  const given = [
    `    "${address}",\n`,
    name === null ? "" : `    headers={"Authorization": "Bearer " + os.environ["${name}"]},\n`,
    body === null ? "" : `    json=${pythonOf(body, "    ")},\n`,
  ].join("");
  const result = isFile(call)
    ? `with open("result.mp4", "wb") as file:\n    file.write(answer.content)`
    : `print(answer.${isEvents(call) ? "text" : "json()"})`;
  return `# pip install requests
${name === null ? "" : "import os\n"}import requests

answer = requests.${row.method.toLowerCase()}(
${given})
answer.raise_for_status()
${result}`;
}

function nodeRequest(call: ExampleCall): string {
  const { row, address, body } = call;
  const name = keyName(call);
  const key = `Authorization: \`Bearer \${process.env.${name}}\``;
  const headers =
    name === null
      ? ""
      : `  headers: { ${key}${body === null ? "" : ', "Content-Type": "application/json"'} },\n`;
  const given = [
    row.method === "GET" ? "" : `  method: "${row.method}",\n`,
    headers,
    body === null ? "" : `  body: JSON.stringify(${nodeOf(body).replaceAll("\n", "\n  ")}),\n`,
  ].join("");
  const result = isFile(call)
    ? `await writeFile("result.mp4", Buffer.from(await answer.arrayBuffer()));`
    : `console.log(await answer.${isEvents(call) ? "text" : "json"}());`;
  return `${isFile(call) ? 'import { writeFile } from "node:fs/promises";\n\n' : ""}const answer = await fetch("${address}"${given === "" ? "" : `, {\n${given}}`});
if (!answer.ok) throw new Error(await answer.text());
${result}`;
}

function samplesOf(call: ExampleCall): Sample[] {
  const packaged = packageSamples(call.row.name, call);
  return inThree(
    inCurl(call),
    packaged?.python ?? pythonRequest(call),
    packaged?.node ?? nodeRequest(call),
  );
}

/** The endpoint's examples with the addresses of this installation. */
export function endpointExamples(row: EndpointRow, place: Place): EndpointExample[] {
  const { parameter = "", query } = exampleAddresses()[row.name] ?? {};
  const path = row.path.replace(/\{\w+\}/, encodeURIComponent(parameter));
  const address = `${place.origin}${path}${query === undefined ? "" : `?${query}`}`;
  const call: ExampleCall = { row, place, address, parameter, body: null };
  if (row.request === null) return [{ title: row.summary, samples: samplesOf(call) }];
  return (examples()[row.path] ?? []).map(({ summary, body }) => ({
    title: summary,
    samples: samplesOf({ ...call, body }),
  }));
}
