/**
 * Code samples that run unchanged against this installation. `baseUrl` is its address with `/v1`.
 */
import { firstModelOf } from "../catalog/models";

export interface Sample {
  language: "curl" | "python" | "node";
  code: string;
}

/** Shown in place of a key until the user has one. */
export const KEY_PLACEHOLDER = "sk-rly-YOUR_KEY";

export function chatSamples(baseUrl: string, apiKey: string = KEY_PLACEHOLDER): Sample[] {
  const chatModel = firstModelOf("text").id;
  return [
    {
      language: "curl",
      code: `curl ${baseUrl}/chat/completions \\
  -H "Authorization: Bearer ${apiKey}" \\
  -H "Content-Type: application/json" \\
  -d '{
    "model": "${chatModel}",
    "messages": [{"role": "user", "content": "Say hello."}]
  }'`,
    },
    {
      language: "python",
      code: `# pip install openai
from openai import OpenAI

client = OpenAI(base_url="${baseUrl}", api_key="${apiKey}")

answer = client.chat.completions.create(
    model="${chatModel}",
    messages=[{"role": "user", "content": "Say hello."}],
)
print(answer.choices[0].message.content)`,
    },
    {
      language: "node",
      code: `// npm install openai
import OpenAI from "openai";

const client = new OpenAI({ baseURL: "${baseUrl}", apiKey: "${apiKey}" });

const stream = await client.chat.completions.create({
  model: "${chatModel}",
  messages: [{ role: "user", content: "Say hello." }],
  stream: true,
});
for await (const chunk of stream) process.stdout.write(chunk.choices[0]?.delta?.content ?? "");`,
    },
  ];
}
