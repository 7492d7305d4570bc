/**
 * Building blocks of all snippets. The key comes from the environment, so that a snippet runs
 * unchanged.
 */
import type { Sample } from "../client/samples";

/** The addresses that the snippets call: those of this installation. */
export interface Place {
  readonly origin: string;
  /** With `/v1`. */
  readonly baseUrl: string;
}

/** A call as it is typed into a shell; further options are on lines of their own. */
export function curl(
  address: string,
  body: object | null,
  options: readonly string[] = [],
): string {
  const lines = [
    `curl ${address}`,
    ...options,
    `-H "Authorization: Bearer $RELAY_API_KEY"`,
    ...(body === null
      ? []
      : [
          `-H "Content-Type: application/json"`,
          `-d '${JSON.stringify(body, null, 2).replaceAll("\n", "\n  ")}'`,
        ]),
  ];
  return lines.join(" \\\n  ");
}

export const pythonClient = ({ baseUrl }: Place) => `# pip install openai
import os
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key=os.environ["RELAY_API_KEY"])
`;

export const nodeClient = ({ baseUrl }: Place) => `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: process.env.RELAY_API_KEY });
`;

export const anthropicInPython = ({ origin }: Place) => `# pip install anthropic
import os
from anthropic import Anthropic

client = Anthropic(base_url="${origin}", api_key=os.environ["RELAY_API_KEY"])
`;

export const anthropicInNode = ({ origin }: Place) => `// npm install @anthropic-ai/sdk
import Anthropic from "@anthropic-ai/sdk";

const client = new Anthropic({ baseURL: "${origin}", apiKey: process.env.RELAY_API_KEY });
`;

/** A call without a library, for endpoints that client libraries do not support. */
export const pythonCall = ({ baseUrl }: Place) => `import json, os, time, urllib.request, uuid

def relay(path, body=None, key=None):
    call = urllib.request.Request(
        "${baseUrl}" + path,
        data=None if body is None else json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RELAY_API_KEY"],
            "Content-Type": "application/json",
            **({"Idempotency-Key": key} if key else {}),
        },
    )
    with urllib.request.urlopen(call, timeout=300) as answer:
        return json.load(answer)
`;

export const nodeCall = ({ baseUrl }: Place) => `async function relay(path, body, key) {
  const answer = await fetch("${baseUrl}" + path, {
    method: body ? "POST" : "GET",
    headers: {
      Authorization: \`Bearer \${process.env.RELAY_API_KEY}\`,
      "Content-Type": "application/json",
      ...(key && { "Idempotency-Key": key }),
    },
    body: body && JSON.stringify(body),
    signal: AbortSignal.timeout(300_000),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}
`;

export function inThree(curlCode: string, python: string, node: string): Sample[] {
  return [
    { language: "curl", code: curlCode },
    { language: "python", code: python },
    { language: "node", code: node },
  ];
}
