/** Helpers for tests of images: requests to a relay, and scripted upstreams that return images. */
import { builtInModels as models } from "@/lib/catalog/built-in";
import type { Channel } from "@/lib/upstream/provider";
import { pngOf } from "../media/files";
import { type Script, sendJson, startUpstream, type TestUpstream } from "../upstream/test-upstream";
import type { TestAnswer } from "./answers";
import type { TestRelay } from "./test-relay";

type ImageModel = Extract<(typeof models)[number], { family: "image" }>;

export const model = models.find(({ family }) => family === "image") as ImageModel;
/** Points at the list price. */
export const pointsOf = (tokens: number) => (tokens * Number(model.defaultPrice.output)) / 1e6;

/** The address of an image that is sent along with an order. */
export const address = "https://a.example/1.png";

type Make = (width: number, height: number) => Buffer;

/** Returns an image of the ordered size, or the one that `make` returns. */
export function delivering(make: Make = (width, height) => pngOf(width, height)): Script {
  let bytes: Uint8Array = new Uint8Array(0);
  return (response, { path, body }) => {
    if (path.startsWith("/results/")) return void response.end(bytes);
    const [width, height] = String(body.size).split("x").map(Number) as [number, number];
    bytes = make(width, height);
    const url = `http://${response.req.headers.host}/results/1.png`;
    sendJson(
      response,
      JSON.stringify({ model: "m", created: 1, data: [{ url }], usage: { output_tokens: 1 } }),
    );
  };
}

type Item = { url?: string; b64_json?: string; size: string };
export const itemOf = (answer: TestAnswer) => (answer.json.data as Item[])[0] as Item;

/** An image upstream with Ark's wire format. */
export async function startImageUpstream(
  script: Script = delivering(),
  overrides: Partial<Channel> = {},
): Promise<TestUpstream> {
  const upstream = await startUpstream(script);
  const models = { [model.id]: "their-image" };
  return {
    ...upstream,
    channel: () => upstream.channel({ protocol: "ark", models, ...overrides }),
  };
}

export const sendImage = (relay: TestRelay, body: object = {}) =>
  relay.send("/v1/images/generations", {
    body: JSON.stringify({ model: "super-relay-img", prompt: "A fox", ...body }),
  });
