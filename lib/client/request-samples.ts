/** A request as it was sent, as code that sends it again with a key. */
import { KEY_PLACEHOLDER, type Sample } from "./samples";

function pythonOf(value: unknown, indent = ""): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value !== "object") return JSON.stringify(value);
  const inner = `${indent}    `;
  const items = Array.isArray(value)
    ? value.map((each) => `${inner}${pythonOf(each, inner)},\n`)
    : Object.entries(value).map(([name, each]) => `${inner}${JSON.stringify(name)}: ${pythonOf(each, inner)},\n`);
  const [open, close] = Array.isArray(value) ? "[]" : "{}";
  return `${open}\n${items.join("")}${indent}${close}`;
}

export function chatRequestSamples(baseUrl: string, body: object): Sample[] {
  const json = JSON.stringify(body, null, 2);
  const named = Object.entries(body).map(([name, value]) => `    ${name}=${pythonOf(value, "    ")},\n`);
  return [
    {
      language: "curl",
      code: `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${KEY_PLACEHOLDER}" \\
  -H "Content-Type: application/json" \\
  -d '${json.replaceAll("'", String.raw`'\''`)}'`,
    },
    {
      language: "python",
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${KEY_PLACEHOLDER}")

answer = client.chat.completions.create(
${named.join("")})
print(answer.choices[0].message.content)`,
    },
    {
      language: "node",
      code: `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${KEY_PLACEHOLDER}" });

const answer = await client.chat.completions.create(${json});
console.log(answer.choices[0].message.content);`,
    },
  ];
}
