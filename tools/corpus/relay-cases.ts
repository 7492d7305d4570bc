/** Valid and invalid requests to the endpoints of the models. */
import { asKey, type CorpusRequest, chat, messages } from "./corpus-request";

const tasks = "/v1/contents/generations/tasks";
const text = (value: string) => [{ type: "text", text: value }];
const imageUrl = "https://example.com/a.png";

export const chatCases = asKey("POST", chat, {
  "a completion": { model: "RelayV1", messages },
  "a completion by alias": { model: "relay-v1", messages, max_tokens: 5, temperature: 0.1 },
  "a stream": { model: "relay-v1", messages, stream: true },
  "a stream with usage": {
    model: "relay-v1",
    messages,
    stream: true,
    stream_options: { include_usage: true },
  },
  "an upstream's failure": { model: "relay-v1", messages: [{ role: "user", content: "[[fail]]" }] },
  "an upstream's status": {
    model: "relay-v1",
    messages: [{ role: "user", content: "[[status:503]]" }],
  },
  "an answer without usage": {
    model: "relay-v1",
    messages: [{ role: "user", content: "[[no-usage]]" }],
  },
  "a stream that breaks off": {
    model: "relay-v1",
    messages: [{ role: "user", content: "[[truncate]]" }],
    stream: true,
  },
  "parts of text and picture": {
    model: "relay-v1",
    messages: [
      {
        role: "user",
        content: [...text("what is it"), { type: "image_url", image_url: { url: imageUrl } }],
      },
    ],
  },
  "no body": "",
  "no JSON": "{",
  "an array": [],
  "a name twice": '{"model":"relay-v1","model":"relay-v1","messages":[]}',
  "no model": { messages },
  "no such model": { model: "none", messages },
  "a model of another family": { model: "super-relay", messages },
  "no messages": { model: "relay-v1" },
  "empty messages": { model: "relay-v1", messages: [] },
  "a wrong role": { model: "relay-v1", messages: [{ role: "robot", content: "hi" }] },
  "a wrong content": { model: "relay-v1", messages: [{ role: "user", content: 5 }] },
  "a wrong part": { model: "relay-v1", messages: [{ role: "user", content: [{ type: "sound" }] }] },
  "two results": { model: "relay-v1", messages, n: 2 },
  "a cap of zero": { model: "relay-v1", messages, max_tokens: 0 },
  "a stream that is a word": { model: "relay-v1", messages, stream: "yes" },
});

export const videoCases = asKey("POST", "/v1/videos/generations", {
  "a video in one call": {
    model: "super-relay-fast",
    prompt: "A fox",
    resolution: "480p",
    duration: 3,
  },
  "a video below the least length": {
    model: "super-relay-2",
    prompt: "A fox",
    resolution: "480p",
    duration: 1,
  },
  "a video that fails": {
    model: "super-relay",
    prompt: "A fox [[fail]]",
    resolution: "480p",
    duration: 3,
  },
  "a video whose sound is refused": {
    model: "super-relay-2",
    prompt: "[[fail:audio]]",
    resolution: "480p",
    duration: 5,
    generate_audio: true,
  },
  "a video too long": { model: "super-relay", prompt: "A fox", duration: 13 },
  "a video in a size the model lacks": {
    model: "super-relay-2.5",
    prompt: "A fox",
    resolution: "1080p",
  },
  "a video of no such ratio": { model: "super-relay", prompt: "A fox", ratio: "2:1" },
  "references where there are none": {
    model: "super-relay",
    prompt: "A fox",
    reference_images: [imageUrl],
  },
  "five references": {
    model: "super-relay-2",
    prompt: "A fox",
    reference_images: Array(5).fill(imageUrl),
  },
  "a frame and references": {
    model: "super-relay-2",
    prompt: "A fox",
    first_frame_url: imageUrl,
    reference_images: [imageUrl],
  },
  "a frame of no address": { model: "super-relay", prompt: "A fox", first_frame_url: "fox.png" },
  "a video without a prompt": { model: "super-relay" },
  "two videos": { model: "super-relay", prompt: "A fox", n: 2 },
});

export const taskCases: CorpusRequest[] = [
  {
    name: "a task",
    method: "POST",
    path: tasks,
    body: { model: "super-relay", content: text("A boat --rs 480p --dur 3"), colour: "red" },
    remember: { task: /"id":"(cgt-[^"]+)"/ },
  },
  {
    name: "a task that has ended",
    method: "GET",
    path: `${tasks}/{task}`,
    until: /"status":"succeeded"/,
  },
  { name: "the tasks", method: "GET", path: `${tasks}?page_size=1` },
  { name: "a task removed", method: "DELETE", path: `${tasks}/{task}` },
  { name: "a task that is gone", method: "GET", path: `${tasks}/{task}` },
  {
    name: "no such task",
    method: "GET",
    path: `${tasks}/cgt-00000000000000000000000000`,
  },
  { name: "a query that is not known", method: "GET", path: `${tasks}?page_num=0` },
  ...asKey("POST", tasks, {
    "a task with a wrong flag": { model: "super-relay", content: text("A boat --rs 99p") },
    "a task whose flag and field differ": {
      model: "super-relay",
      content: text("A boat --dur 3"),
      duration: 4,
    },
    "a task with an unknown item": { model: "super-relay", content: [{ type: "sound" }] },
    "a task with a last frame": {
      model: "super-relay",
      content: [
        ...text("A boat"),
        { type: "image_url", image_url: { url: imageUrl }, role: "last_frame" },
      ],
    },
    "a task without text": { model: "super-relay", content: [] },
    "a draft": { model: "super-relay", content: text("A boat"), draft: true },
    "a callback to no address": {
      model: "super-relay",
      content: text("A boat"),
      callback_url: "here",
    },
  }),
];

export const imageCases = asKey("POST", "/v1/images/generations", {
  "an image": { model: "super-relay-img", prompt: "A fox", size: "512x512" },
  "an image by ratio": { model: "Super-Relay-Image", prompt: "A fox", ratio: "9:16" },
  "an image that fails": { model: "super-relay-img", prompt: "[[fail]]" },
  "two images": { model: "super-relay-img", prompt: "A fox", n: 2 },
  "an image too large": { model: "super-relay-img", prompt: "A fox", size: "9000x9000" },
  "a size and another ratio": {
    model: "super-relay-img",
    prompt: "A fox",
    size: "512x512",
    ratio: "16:9",
  },
  "five pictures": { model: "super-relay-img", prompt: "A fox", image: Array(5).fill(imageUrl) },
  "a picture of no address": { model: "super-relay-img", prompt: "A fox", image: "fox" },
  "a mask": { model: "super-relay-img", prompt: "A fox", mask: "x" },
  "an image without a prompt": { model: "super-relay-img" },
});

export const quoteCases = asKey("POST", "/v1/quote", {
  "a quote for chat": {
    endpoint: "createChatCompletion",
    model: "relay-v1",
    messages,
    max_tokens: 300,
  },
  "a quote for a video": {
    endpoint: "createVideo",
    model: "super-relay-2",
    prompt: "A fox",
    duration: 1,
  },
  "a quote for a task": {
    endpoint: "createVideoTask",
    model: "super-relay",
    content: text("A boat --rs 480p"),
  },
  "a quote for an image": {
    endpoint: "createImage",
    model: "super-relay-img",
    prompt: "A fox",
    size: "1024x1024",
  },
  "a quote for nothing": { endpoint: "none" },
  "a quote for a wrong body": { endpoint: "createImage", model: "super-relay-img" },
});

const kept = { "idempotency-key": "corpus-1" };
export const idempotent: CorpusRequest[] = [
  {
    name: "a request to be kept",
    method: "POST",
    path: chat,
    headers: kept,
    body: { model: "relay-v1", messages },
  },
  {
    name: "the same again",
    method: "POST",
    path: chat,
    headers: kept,
    body: { model: "relay-v1", messages },
  },
  {
    name: "another body",
    method: "POST",
    path: chat,
    headers: kept,
    body: { model: "relay-v1", messages, n: 1 },
  },
  {
    name: "a key too long",
    method: "POST",
    path: chat,
    headers: { "idempotency-key": "a".repeat(256) },
    body: { model: "relay-v1", messages },
  },
];
