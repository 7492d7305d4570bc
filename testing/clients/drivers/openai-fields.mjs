/**
 * Sends orders with the openai package of the folder RELAY_CLIENTS, one for each item of RELAY_ORDERS
 * (`{ call, order }`), and prints what came of each: `{ answer }`, or `{ status, param }` of a refusal.
 */
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";

const { RELAY_CLIENTS, RELAY_BASE_URL, RELAY_API_KEY, RELAY_ORDERS, RELAY_PICTURE } = process.env;
const from = createRequire(`${RELAY_CLIENTS}/package.json`);
const { default: OpenAI, toFile } = await import(pathToFileURL(from.resolve("openai")));
const client = new OpenAI({ baseURL: RELAY_BASE_URL, apiKey: RELAY_API_KEY, maxRetries: 0 });

const picture = () => toFile(Buffer.from(RELAY_PICTURE, "base64"), "a.png", { type: "image/png" });
/** Addresses of pictures as files: what the package takes. */
async function withFiles({ image, mask, markup, ...order }) {
  const several = Array.isArray(image) ? image : [image];
  return {
    ...order,
    image: await Promise.all(several.map(picture)),
    ...(mask && { mask: await picture() }),
    ...(markup && { markup: await picture() }),
  };
}

const calls = {
  images: (order) => client.images.generate(order),
  edits: async (order) => client.images.edit(await withFiles(order)),
  chat: (order) => client.chat.completions.create(order),
  responses: (order) => client.responses.create(order),
  videos: async ({ input_reference: reference, ...order }) =>
    client.videos.create({ ...order, ...(reference && { input_reference: await picture() }) }),
};

async function whole(answer) {
  if (typeof answer[Symbol.asyncIterator] !== "function") return answer;
  const events = [];
  for await (const event of answer) events.push(event);
  return { events };
}

const came = [];
for (const { call, order } of JSON.parse(RELAY_ORDERS))
  try {
    came.push({ answer: await whole(await calls[call](order)) });
  } catch (error) {
    came.push({ status: error.status ?? 0, param: error.param ?? null, said: String(error) });
  }
console.log(JSON.stringify(came));
