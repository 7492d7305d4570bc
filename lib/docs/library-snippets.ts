import { exampleImage, exampleText } from "../catalog/example-models";
import type { Sample } from "../client/samples";
import { curl, type Place } from "./code";
import type { Snippet } from "./snippets";

const retryInPython = ({
  baseUrl,
}: Place): string => `import json, os, time, urllib.error, urllib.request, uuid

def relay(path, body, tries=5):
    call = urllib.request.Request(
        "${baseUrl}" + path,
        data=json.dumps(body).encode(),
        headers={
            "Authorization": "Bearer " + os.environ["RELAY_API_KEY"],
            "Content-Type": "application/json",
            "Idempotency-Key": str(uuid.uuid4()),  # the same for every try
        },
    )
    for attempt in range(1, tries + 1):
        wait = 2**attempt
        try:
            with urllib.request.urlopen(call, timeout=300) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            if error.headers["x-should-retry"] == "false" or attempt == tries:
                raise
            wait = int(error.headers["retry-after"] or wait)
        except urllib.error.URLError:
            if attempt == tries:
                raise
        time.sleep(wait)

answer = relay("/chat/completions", {
    "model": "${exampleText()}",
    "messages": [{"role": "user", "content": "Say hello."}],
})
print(answer["choices"][0]["message"]["content"])`;

const retryInNode = ({ baseUrl }: Place): string => `import { randomUUID } from "node:crypto";

async function relay(path, body, tries = 5) {
  const headers = {
    Authorization: \`Bearer \${process.env.RELAY_API_KEY}\`,
    "Content-Type": "application/json",
    "Idempotency-Key": randomUUID(), // the same for every attempt
  };
  for (let attempt = 1; ; attempt++) {
    const answer = await fetch("${baseUrl}" + path, { method: "POST", headers, body: JSON.stringify(body) }).catch((error) => error);
    if (answer.ok) return answer.json();
    if (answer.headers?.get("x-should-retry") === "false" || attempt === tries) {
      throw answer instanceof Error ? answer : new Error(await answer.text());
    }
    const seconds = Number(answer.headers?.get("retry-after")) || 2 ** attempt;
    await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  }
}

const answer = await relay("/chat/completions", {
  model: "${exampleText()}",
  messages: [{ role: "user", content: "Say hello." }],
});
console.log(answer.choices[0].message.content);`;

/** Repeats the request until it succeeds, or until another attempt cannot help. */
const retry: Snippet = (place) => [
  {
    language: "curl",
    code: curl(
      `${place.baseUrl}/chat/completions`,
      { model: exampleText(), messages: [{ role: "user", content: "Say hello." }] },
      ["--retry 4 --retry-connrefused", `-H "Idempotency-Key: order-1042"`],
    ),
  },
  { language: "python", code: retryInPython(place) },
  { language: "node", code: retryInNode(place) },
];

/** The environment variables that the OpenAI libraries read by themselves. */
const environment: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: `export OPENAI_BASE_URL="${baseUrl}"\nexport OPENAI_API_KEY="$RELAY_API_KEY"`,
  },
];

const unchanged: Snippet = () => [
  {
    language: "python",
    code: `from openai import OpenAI

client = OpenAI()
for model in client.models.list():
    print(model.id)`,
  },
  {
    language: "node",
    code: `import OpenAI from "openai";

const client = new OpenAI();
for await (const model of client.models.list()) console.log(model.id);`,
  },
];

const aiSdk = ({ baseUrl }: Place): Sample[] => [
  {
    language: "node",
    code: `// npm install ai @ai-sdk/openai-compatible
import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { generateImage, streamText } from "ai";

const relay = createOpenAICompatible({
  name: "relay",
  baseURL: "${baseUrl}",
  apiKey: process.env.RELAY_API_KEY,
  includeUsage: true,
});

const { textStream, usage } = streamText({ model: relay("${exampleText()}"), prompt: "Count to five." });
for await (const text of textStream) process.stdout.write(text);
console.log("\\n", (await usage).totalTokens, "tokens");

const { image } = await generateImage({
  model: relay.imageModel("${exampleImage()}"),
  prompt: "A paper boat, ink drawing",
  size: "512x512",
});
console.log(image.uint8Array.length, "bytes");`,
  },
];

export const librarySnippets = { retry, environment, unchanged, aiSdk } satisfies Record<
  string,
  Snippet
>;
