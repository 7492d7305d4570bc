/** The code samples of the documentation. A test runs each of them against the running product. */
import { exampleFilm, exampleImage, exampleText } from "../catalog/example-models";
import type { Sample } from "../client/samples";
import { curl, inThree, nodeCall, nodeClient, type Place, pythonCall, pythonClient } from "./code";

const BOAT = "A paper boat on a quiet lake";

export type Snippet = (place: Place) => Sample[];

export function chat(place: Place, model: string = exampleText()): Sample[] {
  return inThree(
    curl(`${place.baseUrl}/chat/completions`, {
      model,
      messages: [{ role: "user", content: "Why is the sky blue?" }],
    }),
    `${pythonClient(place)}
answer = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Why is the sky blue?"}],
)
print(answer.choices[0].message.content)
print(answer.usage.total_tokens, "tokens")`,
    `${nodeClient(place)}
const answer = await client.chat.completions.create({
  model: "${model}",
  messages: [{ role: "user", content: "Why is the sky blue?" }],
});
console.log(answer.choices[0].message.content);
console.log(answer.usage.total_tokens, "tokens");`,
  );
}

const stream: Snippet = (place) =>
  inThree(
    curl(
      `${place.baseUrl}/chat/completions`,
      {
        model: exampleText(),
        messages: [{ role: "user", content: "Count to five." }],
        stream: true,
        stream_options: { include_usage: true },
      },
      ["--no-buffer"],
    ),
    `${pythonClient(place)}
stream = client.chat.completions.create(
    model="${exampleText()}",
    messages=[{"role": "user", "content": "Count to five."}],
    stream=True,
    stream_options={"include_usage": True},
)
for chunk in stream:
    for choice in chunk.choices:
        print(choice.delta.content or "", end="", flush=True)
    if chunk.usage:
        print("\\n", chunk.usage.total_tokens, "tokens")`,
    `${nodeClient(place)}
const stream = await client.chat.completions.create({
  model: "${exampleText()}",
  messages: [{ role: "user", content: "Count to five." }],
  stream: true,
  stream_options: { include_usage: true },
});
for await (const chunk of stream) {
  process.stdout.write(chunk.choices[0]?.delta.content ?? "");
  if (chunk.usage) console.log("\\n", chunk.usage.total_tokens, "tokens");
}`,
  );

const models: Snippet = ({ baseUrl }) => [
  { language: "curl", code: curl(`${baseUrl}/models`, null) },
];

export function image(place: Place, model: string = exampleImage(), size = "1024x1024"): Sample[] {
  return inThree(
    curl(`${place.baseUrl}/images/generations`, { model, prompt: `${BOAT}, ink drawing`, size }, [
      "--max-time 120",
    ]),
    `${pythonClient(place)}
picture = client.images.generate(
    model="${model}",
    prompt="${BOAT}, ink drawing",
    size="${size}",
)
print(picture.data[0].url)`,
    `${nodeClient(place)}
const picture = await client.images.generate({
  model: "${model}",
  prompt: "${BOAT}, ink drawing",
  size: "${size}",
});
console.log(picture.data[0].url);`,
  );
}

const imageByRatio: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}/images/generations`, {
      model: exampleImage(),
      prompt: `${BOAT}, ink drawing`,
      ratio: "16:9",
    }),
  },
];

const imageFromImages: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}/images/generations`, {
      model: exampleImage(),
      prompt: "The boat of the first picture in the light of the second",
      size: "1024x1024",
      image: ["https://example.com/boat.png", "https://example.com/dusk.png"],
    }),
  },
];

const imageLater: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`${baseUrl}/images/generations`, {
      model: exampleImage(),
      prompt: `${BOAT}, ink drawing`,
      size: "1024x1024",
      async: true,
    }),
  },
];

const imageAsData: Snippet = (place) => [
  {
    language: "python",
    code: `${pythonCall(place).replace("import json", "import base64, json").replace(", time", "").replace(", uuid", "")}
picture = relay("/images/generations", {
    "model": "${exampleImage()}",
    "prompt": "${BOAT}, ink drawing",
    "size": "512x512",
    "response_format": "b64_json",
})
with open("boat.png", "wb") as file:
    file.write(base64.b64decode(picture["data"][0]["b64_json"]))`,
  },
  {
    language: "node",
    code: `import { writeFile } from "node:fs/promises";

${nodeCall(place)}
const picture = await relay("/images/generations", {
  model: "${exampleImage()}",
  prompt: "${BOAT}, ink drawing",
  size: "512x512",
  response_format: "b64_json",
});
await writeFile("boat.png", Buffer.from(picture.data[0].b64_json, "base64"));`,
  },
];

const limitHeaders: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: `${curl(`${baseUrl}/balance`, null, ["--silent --dump-header - --output /dev/null"])} \\\n  | grep -i x-ratelimit`,
  },
];

const ownKey: Snippet = ({ baseUrl }) => [{ language: "curl", code: curl(`${baseUrl}/key`, null) }];

const failure: Snippet = (place) =>
  inThree(
    curl(`${place.baseUrl}/chat/completions`, {
      model: "no-such-model",
      messages: [{ role: "user", content: "Hello" }],
    }),
    `${pythonClient(place).replace("import OpenAI", "import APIStatusError, OpenAI")}
try:
    client.chat.completions.create(
        model="no-such-model",
        messages=[{"role": "user", "content": "Hello"}],
    )
except APIStatusError as error:
    print(error.status_code, error.code, error.param)
    print(error.request_id)`,
    `${nodeClient(place)}
try {
  await client.chat.completions.create({
    model: "no-such-model",
    messages: [{ role: "user", content: "Hello" }],
  });
} catch (error) {
  if (!(error instanceof OpenAI.APIError)) throw error;
  console.log(error.status, error.code, error.param);
  console.log(error.requestID);
}`,
  );

const quote: Snippet = (place) =>
  inThree(
    curl(`${place.baseUrl}/quote`, {
      endpoint: "createVideo",
      model: exampleFilm(),
      prompt: BOAT,
      resolution: "720p",
      duration: 5,
    }),
    `${pythonCall(place).replace(", time", "").replace(", uuid", "")}
quote = relay("/quote", {
    "endpoint": "createVideo",
    "model": "${exampleFilm()}",
    "prompt": "${BOAT}",
    "resolution": "720p",
    "duration": 5,
})
print(quote["estimate_points"], "points, at most", quote["hold_points"])`,
    `${nodeCall(place)}
const quote = await relay("/quote", {
  endpoint: "createVideo",
  model: "${exampleFilm()}",
  prompt: "${BOAT}",
  resolution: "720p",
  duration: 5,
});
console.log(quote.estimate_points, "points, at most", quote.hold_points);`,
  );

const balance: Snippet = ({ baseUrl }) => [
  { language: "curl", code: curl(`${baseUrl}/balance`, null) },
];

const usageFile: Snippet = ({ baseUrl }) => [
  {
    language: "curl",
    code: curl(`"${baseUrl}/usage?group_by=model"`, null, [
      `-H "Accept: text/csv"`,
      "--output usage.csv",
    ]),
  },
];

export const snippets = {
  chat: (place: Place) => chat(place),
  stream,
  models,
  image: (place: Place) => image(place),
  imageByRatio,
  imageFromImages,
  imageLater,
  imageAsData,
  limitHeaders,
  ownKey,
  failure,
  quote,
  balance,
  usageFile,
} satisfies Record<string, Snippet>;
