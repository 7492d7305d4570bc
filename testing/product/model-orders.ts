/** Orders of a model of each family, by each kind of client. */

export const [TEXT, VIDEO, IMAGE] = ["load-text", "load-video", "load-image"] as const;
export const models = [TEXT, VIDEO, IMAGE] as const;

const messages = [{ role: "user", content: "Hello" }];
const chat = (stream: boolean) => ({ model: TEXT, messages, max_tokens: 20, stream });
/** An order of each kind. Of the limits that a version has, every second one asks for the others. */
export const orders = {
  text: () => ["/v1/chat/completions", chat(false)],
  stream: () => ["/v1/chat/completions", chat(true)],
  image: (sent) => [
    "/v1/images/generations",
    { model: IMAGE, prompt: "A boat", size: sent % 2 === 0 ? "512x512" : "768x512" },
  ],
  video: (sent) => [
    "/v1/contents/generations/tasks",
    { model: VIDEO, content: [{ type: "text", text: `A boat --dur ${sent % 2 === 0 ? 4 : 8}` }] },
  ],
} as const satisfies Record<string, (sent: number) => readonly [string, { model: string }]>;
export type Kind = keyof typeof orders;
export const kinds: readonly Kind[] = ["text", "stream", "image", "video"];
