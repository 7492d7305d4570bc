/** Code samples that send a finished request again with an API key. */
import { KEY_PLACEHOLDER, type Sample } from "./samples";

/** Code for one API in which the same can be asked for. */
export interface SampleForm {
  readonly name: "chat" | "responses" | "messages" | "tasks" | "images";
  readonly samples: readonly Sample[];
}

/** A JSON value as Python. */
export function pythonOf(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((each) => `${inner}${pythonOf(each, inner)},\n`)
    : Object.entries(value).map(
        ([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonOf(each, inner)},\n`,
      );
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join("")}${indent}${close}`;
}

/** Shown of an image inside the request, which would fill the page. */
const IMAGE_CHARACTERS_SHOWN = 200;

/** Shortens images inside the request. */
export function withoutInlineImages<Body>(body: Body): Body {
  return JSON.parse(JSON.stringify(body), (name, value: unknown) => {
    if (typeof value !== "string") return value;
    if (value.startsWith("data:")) return `${value.slice(0, value.indexOf(",") + 1)}…`;
    return name === "data" && value.length > IMAGE_CHARACTERS_SHOWN ? "…" : value;
  });
}

/** JSON text inside single quotes of a shell. */
export const shellOf = (json: string) => json.replaceAll("'", String.raw`'\''`);

export function curlOf(address: string, json: string): string {
  return `curl ${address} \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -d '${shellOf(json)}'`;
}

/** Code that orders an image and prints its address. */
export function imageRequestSamples(baseUrl: string, given: object): Sample[] {
  const body = withoutInlineImages(given);
  const json = JSON.stringify(body, null, 2);
  const address = `${baseUrl}/images/generations`;
  return [
    { language: "curl", code: curlOf(address, json) },
    {
      language: "python",
      code: `# pip install requests
import requests

answer = requests.post(
    "${address}",
    headers={"Authorization": "Bearer ${KEY_PLACEHOLDER}"},
    json=${pythonOf(body, "    ")},
)
answer.raise_for_status()
print(answer.json()["data"][0]["url"])`,
    },
    {
      language: "node",
      code: `const response = await fetch("${address}", {
  method: "POST",
  headers: { Authorization: "Bearer ${KEY_PLACEHOLDER}", "Content-Type": "application/json" },
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
const answer = await response.json();
if (!response.ok) throw new Error(answer.error.message);
console.log(answer.data[0].url);`,
    },
  ];
}

/** Code that orders a video, polls until it has ended, and prints its address. */
export function videoRequestSamples(baseUrl: string, given: object): Sample[] {
  const body = withoutInlineImages(given);
  const json = JSON.stringify(body, null, 2);
  const address = `${baseUrl}/contents/generations/tasks`;
  return [
    {
      language: "curl",
      code: `${curlOf(address, json)}

# Then, with the id from the answer, until its status is "succeeded":
curl ${address}/ID -H "Authorization: Bearer ${KEY_PLACEHOLDER}"`,
    },
    {
      language: "python",
      code: `# pip install requests
import time

import requests

tasks = "${address}"
headers = {"Authorization": "Bearer ${KEY_PLACEHOLDER}"}

answer = requests.post(
    tasks,
    headers=headers,
    json=${pythonOf(body, "    ")},
)
answer.raise_for_status()
task = answer.json()
while task.get("status") in (None, "queued", "running"):
    time.sleep(3)
    task = requests.get(f"{tasks}/{task['id']}", headers=headers).json()
print(task["content"]["video_url"] if task["status"] == "succeeded" else task["error"])`,
    },
    {
      language: "node",
      code: `const tasks = "${address}";
const headers = { Authorization: "Bearer ${KEY_PLACEHOLDER}", "Content-Type": "application/json" };

const response = await fetch(tasks, {
  method: "POST",
  headers,
  body: JSON.stringify(${json.replaceAll("\n", "\n  ")}),
});
let task = await response.json();
if (!response.ok) throw new Error(task.error.message);
while (task.status === undefined || task.status === "queued" || task.status === "running") {
  await new Promise((resolve) => setTimeout(resolve, 3000));
  task = await (await fetch(\`\${tasks}/\${task.id}\`, { headers })).json();
}
console.log(task.status === "succeeded" ? task.content.video_url : task.error);`,
    },
  ];
}

export const imageForms = (baseUrl: string, body: object): SampleForm[] => [
  { name: "images", samples: imageRequestSamples(baseUrl, body) },
];

export const videoForms = (baseUrl: string, body: object): SampleForm[] => [
  { name: "tasks", samples: videoRequestSamples(baseUrl, body) },
];
