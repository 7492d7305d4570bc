/** Orders with a reference image of each kind, through the relay's API. */
import type { TestRelay } from "./test-relay";

export const photo = "https://pictures.example/fox.png";
/** An image inside the body. */
const ownImage = `data:image/png;base64,${"A".repeat(64)}`;

const post = (relay: TestRelay, path: string, body: object) =>
  relay.send(path, { body: JSON.stringify(body) });

/** Submits a video; resolves with its id. */
export async function orderVideo(
  relay: TestRelay,
  text: string,
  body: object = {},
): Promise<string> {
  const content = [
    { type: "text", text },
    { type: "image_url", image_url: { url: photo }, role: "reference_image" },
    { type: "image_url", image_url: { url: ownImage }, role: "reference_image" },
  ];
  const { json } = await post(relay, "/v1/contents/generations/tasks", {
    model: "super-relay-2.5",
    resolution: "480p",
    content,
    ...body,
  });
  return String(json.id);
}

/** Orders an image; resolves with its id. */
export async function orderImage(relay: TestRelay, prompt: string): Promise<string> {
  const answer = await post(relay, "/v1/images/generations", {
    model: "super-relay-img",
    prompt,
    ratio: "16:9",
    seed: 9,
    image: [ownImage, photo],
  });
  return answer.headers.get("x-request-id") ?? "";
}
