/** Bodies that cost the most to parse and check. */
import { endpoints } from "@/lib/contract/endpoints";
import { hello } from "../relay/test-relay";

export const MEBIBYTE = 1024 * 1024;
export const { createImage: image, createVideoTask: videoTask, createQuote: quote } = endpoints;
const { createChatCompletion: chat, createVideo: video } = endpoints;
const { createMessage: message, createResponse: response } = endpoints;
const repeated = (item: string, count: number) =>
  Array.from({ length: count }, () => item).join(",");
const names = (count: number, of = 1) =>
  Array.from({ length: count }, (_, at) => `"n${of}_${at}":1`).join(",");
const inChat = (more: string) =>
  `{"model":"relay-v1","messages":${JSON.stringify(hello)},"max_tokens":1,${more}}`;
export const inImage = (more: string) => `{"model":"super-relay-img","prompt":"a fox",${more}}`;
export const png = "data:image/png;base64,";
const bareImage = (bytes: number) =>
  Buffer.alloc(Math.floor((bytes - 200) / 4) * 3, "fox, snow").toString("base64");
export const imageDataUrl = (bytes: number) => png + bareImage(bytes);
const inConversation = (url: string) =>
  `{"model":"relay-v1","max_tokens":1,"messages":[{"role":"user","content":[{"type":"image_url","image_url":{"url":"${url}"}}]}]}`;
export const full = image.bodyBytesMax;
const spread = Array.from({ length: 11 }, (_, at) => `{${names(2000, at)}}`).join(",");

/** The shapes that cost the most, each as large as is allowed or once was. */
export const worstBodies: readonly [string, string, () => string][] = [
  ["31 MiB of empty objects", image.path, () => inImage(`"zz":[${"{},".repeat(10 * MEBIBYTE)}{}]`)],
  [
    "31 MiB of numbers in `image`",
    quote.path,
    () =>
      `{"endpoint":"createImage",${inImage(`"image":[${"1,".repeat(15 * MEBIBYTE)}1]`).slice(1)}`,
  ],
  ["31 MiB of distinct names", image.path, () => inImage(names(2_000_000))],
  ["31 MiB of open brackets", image.path, () => "[".repeat(31 * MEBIBYTE)],
  ["31 MiB of quotes", image.path, () => '"'.repeat(31 * MEBIBYTE)],
  ["31 MiB of backslashes", image.path, () => `{"image":"${png}${"\\".repeat(31 * MEBIBYTE)}`],
  ["25,000 empty objects", chat.path, () => inChat(`"zz":[${repeated("{}", 12_400)}]`)],
  ["22,000 distinct names", chat.path, () => inChat(`"zz":[${spread}]`)],
  ["2,000 names of the body itself", chat.path, () => inChat(names(1_900))],
  [
    "4,096 messages",
    chat.path,
    () =>
      `{"model":"relay-v1","max_tokens":1,"messages":[${repeated('{"role":"user","content":[{"type":"text","text":"hi"}]}', 4096)}]}`,
  ],
  [
    "4,096 messages of no role",
    chat.path,
    () =>
      `{"model":"relay-v1","messages":[${repeated('{"role":"x","content":[{"type":"y"}]}', 4000)}]}`,
  ],
  ["4 MiB of one text", chat.path, () => inChat(`"zz":"${"a".repeat(chat.textBytesMax - 200)}"`)],
  [
    "4 MiB of one text that is not Latin",
    chat.path,
    () => inChat(`"zz":"${"😀".repeat(MEBIBYTE - 60)}"`),
  ],
  ["4 MiB of escapes", chat.path, () => inChat(`"zz":"${'\\"'.repeat(2 * MEBIBYTE - 100)}"`)],
  ["4 MiB of spaces", chat.path, () => inChat(`"zz":1${" ".repeat(chat.textBytesMax - 200)}`)],
  ["4 MiB of one number", chat.path, () => inChat(`"zz":${"1".repeat(chat.textBytesMax - 200)}`)],
  ["32 MiB of one image in a chat", chat.path, () => inConversation(imageDataUrl(full - 400))],
  [
    "32 MiB of text in the form of an image",
    chat.path,
    () => inChat(`"zz":"${imageDataUrl(full - 400)}"`),
  ],
  [
    "32 MiB of one image in a message",
    message.path,
    () =>
      `{"model":"relay-v1","max_tokens":1,"messages":[{"role":"user","content":[{"type":"image","source":{"type":"base64","media_type":"image/png","data":"${bareImage(full - 400)}"}}]}]}`,
  ],
  [
    "32 MiB of one image in a response",
    response.path,
    () =>
      `{"model":"relay-v1","store":false,"input":[{"role":"user","content":[{"type":"input_image","image_url":"${imageDataUrl(full - 400)}"}]}]}`,
  ],
  [
    "8,000 short texts named data",
    message.path,
    () => `{"model":"relay-v1","max_tokens":1,"messages":[${repeated('{"data":"aaaa"}', 8000)}]}`,
  ],
  [
    "a quote of 4 MiB of text",
    quote.path,
    () =>
      `{"endpoint":"createChatCompletion",${inChat(`"zz":"${"é".repeat(2 * MEBIBYTE - 200)}"`).slice(1)}`,
  ],
  ["32 MiB of one image", image.path, () => inImage(`"image":"${imageDataUrl(full - 100)}"`)],
  [
    "32 MiB of one image, its slashes escaped",
    image.path,
    () => inImage(`"image":"${png.replace("/", "\\/")}${"\\/".repeat(full / 2 - 200)}"`),
  ],
  [
    "32 MiB of an image that is none",
    image.path,
    () => inImage(`"image":"${imageDataUrl(full - 400)}!"`),
  ],
  [
    "32 MiB of many images",
    image.path,
    () =>
      inImage(
        `"image":["${Array.from({ length: 2_000 }, () => imageDataUrl(full / 2_000 - 40)).join('","')}"]`,
      ),
  ],
  [
    "32 MiB of a first frame",
    video.path,
    () =>
      `{"model":"super-relay-2","prompt":"a fox","first_frame_url":"${imageDataUrl(full - 200)}"}`,
  ],
  [
    "32 MiB of reference images",
    videoTask.path,
    () =>
      `{"model":"super-relay-2","content":[{"type":"text","text":"a fox"},${repeated(`{"type":"image_url","role":"reference_image","image_url":{"url":"${imageDataUrl(full / 4 - 200)}"}}`, 4)}]}`,
  ],
  [
    "a quote of 32 MiB of an image",
    quote.path,
    () => `{"endpoint":"createImage",${inImage(`"image":"${imageDataUrl(full - 200)}"`).slice(1)}`,
  ],
  [
    "a body as large as a page takes",
    "/api/auth/callback/credentials",
    () => `{"csrfToken":"${"a".repeat(255 * 1024)}"}`,
  ],
];
