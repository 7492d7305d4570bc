/**
 * The requests of the corpus: each address of both lanes, with valid and invalid requests, in a
 * repeatable order.
 */

/** Who sends a request: nobody, an API key, an unknown key, a signed-in user, an operator. */
export type Caller = "nobody" | "key" | "unknown key" | "person" | "operator";

export interface CorpusRequest {
  readonly name: string;
  readonly caller: Caller;
  readonly method: string;
  /** `{name}` is replaced by the text that an earlier answer stored under the name. */
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Sent as JSON; a string is sent unchanged. */
  readonly body?: unknown;
  /** Stores a text of the answer for later paths: name → pattern with one group. */
  readonly remember?: Readonly<Record<string, RegExp>>;
  /** The request is repeated for up to 60 s until the answer contains this text. */
  readonly until?: RegExp;
}

const chat = "/v1/chat/completions";
const tasks = "/v1/contents/generations/tasks";
const messages = [{ role: "user", content: "hi" }];
const text = (value: string) => [{ type: "text", text: value }];
const picture = "https://example.com/a.png";

function asKey(method: string, path: string, cases: Readonly<Record<string, unknown>>): CorpusRequest[] {
  return Object.entries(cases).map(([name, body]) => ({ name, caller: "key", method, path, body }));
}

const chatCases = asKey("POST", chat, {
  "a completion": { model: "RelayV1", messages },
  "a completion by alias": { model: "relay-v1", messages, max_tokens: 5, temperature: 0.1 },
  "a stream": { model: "relay-v1", messages, stream: true },
  "a stream with usage": { model: "relay-v1", messages, stream: true, stream_options: { include_usage: true } },
  "an upstream's failure": { model: "relay-v1", messages: [{ role: "user", content: "[[fail]]" }] },
  "an upstream's status": { model: "relay-v1", messages: [{ role: "user", content: "[[status:503]]" }] },
  "an answer without usage": { model: "relay-v1", messages: [{ role: "user", content: "[[no-usage]]" }] },
  "a stream that breaks off": { model: "relay-v1", messages: [{ role: "user", content: "[[truncate]]" }], stream: true },
  "parts of text and picture": {
    model: "relay-v1",
    messages: [{ role: "user", content: [...text("what is it"), { type: "image_url", image_url: { url: picture } }] }],
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

const videoCases = asKey("POST", "/v1/videos/generations", {
  "a video in one call": { model: "super-relay-fast", prompt: "A fox", resolution: "480p", duration: 3 },
  "a video below the least length": { model: "super-relay-2", prompt: "A fox", resolution: "480p", duration: 1 },
  "a video that fails": { model: "super-relay", prompt: "A fox [[fail]]", resolution: "480p", duration: 3 },
  "a video whose sound is refused": {
    model: "super-relay-2",
    prompt: "[[fail:audio]]",
    resolution: "480p",
    duration: 5,
    generate_audio: true,
  },
  "a video too long": { model: "super-relay", prompt: "A fox", duration: 13 },
  "a video in a size the model lacks": { model: "super-relay-2.5", prompt: "A fox", resolution: "1080p" },
  "a video of no such ratio": { model: "super-relay", prompt: "A fox", ratio: "2:1" },
  "references where there are none": { model: "super-relay", prompt: "A fox", reference_images: [picture] },
  "five references": { model: "super-relay-2", prompt: "A fox", reference_images: Array(5).fill(picture) },
  "a frame and references": { model: "super-relay-2", prompt: "A fox", first_frame_url: picture, reference_images: [picture] },
  "a frame of no address": { model: "super-relay", prompt: "A fox", first_frame_url: "fox.png" },
  "a video without a prompt": { model: "super-relay" },
  "two videos": { model: "super-relay", prompt: "A fox", n: 2 },
});

const taskCases: CorpusRequest[] = [
  {
    name: "a task",
    caller: "key",
    method: "POST",
    path: tasks,
    body: { model: "super-relay", content: text("A boat --rs 480p --dur 3"), colour: "red" },
    remember: { task: /"id":"(cgt-[^"]+)"/ },
  },
  { name: "a task that has ended", caller: "key", method: "GET", path: `${tasks}/{task}`, until: /"status":"succeeded"/ },
  { name: "the tasks", caller: "key", method: "GET", path: `${tasks}?page_size=1` },
  { name: "a task removed", caller: "key", method: "DELETE", path: `${tasks}/{task}` },
  { name: "a task that is gone", caller: "key", method: "GET", path: `${tasks}/{task}` },
  { name: "no such task", caller: "key", method: "GET", path: `${tasks}/cgt-00000000000000000000000000` },
  { name: "a query that is not known", caller: "key", method: "GET", path: `${tasks}?page_num=0` },
  ...asKey("POST", tasks, {
    "a task with a wrong flag": { model: "super-relay", content: text("A boat --rs 99p") },
    "a task whose flag and field differ": { model: "super-relay", content: text("A boat --dur 3"), duration: 4 },
    "a task with an unknown item": { model: "super-relay", content: [{ type: "sound" }] },
    "a task with a last frame": {
      model: "super-relay",
      content: [...text("A boat"), { type: "image_url", image_url: { url: picture }, role: "last_frame" }],
    },
    "a task without text": { model: "super-relay", content: [] },
    "a draft": { model: "super-relay", content: text("A boat"), draft: true },
    "a callback to no address": { model: "super-relay", content: text("A boat"), callback_url: "here" },
  }),
];

const imageCases = asKey("POST", "/v1/images/generations", {
  "an image": { model: "super-relay-img", prompt: "A fox", size: "512x512" },
  "an image by ratio": { model: "Super-Relay-Image", prompt: "A fox", ratio: "9:16" },
  "an image that fails": { model: "super-relay-img", prompt: "[[fail]]" },
  "two images": { model: "super-relay-img", prompt: "A fox", n: 2 },
  "an image too large": { model: "super-relay-img", prompt: "A fox", size: "9000x9000" },
  "a size and another ratio": { model: "super-relay-img", prompt: "A fox", size: "512x512", ratio: "16:9" },
  "five pictures": { model: "super-relay-img", prompt: "A fox", image: Array(5).fill(picture) },
  "a picture of no address": { model: "super-relay-img", prompt: "A fox", image: "fox" },
  "a mask": { model: "super-relay-img", prompt: "A fox", mask: "x" },
  "an image without a prompt": { model: "super-relay-img" },
});

const quoteCases = asKey("POST", "/v1/quote", {
  "a quote for chat": { endpoint: "createChatCompletion", model: "relay-v1", messages, max_tokens: 300 },
  "a quote for a video": { endpoint: "createVideo", model: "super-relay-2", prompt: "A fox", duration: 1 },
  "a quote for a task": { endpoint: "createVideoTask", model: "super-relay", content: text("A boat --rs 480p") },
  "a quote for an image": { endpoint: "createImage", model: "super-relay-img", prompt: "A fox", size: "1024x1024" },
  "a quote for nothing": { endpoint: "none" },
  "a quote for a wrong body": { endpoint: "createImage", model: "super-relay-img" },
});

const kept = { "idempotency-key": "corpus-1" };
const idempotent: CorpusRequest[] = [
  { name: "a request to be kept", caller: "key", method: "POST", path: chat, headers: kept, body: { model: "relay-v1", messages } },
  { name: "the same again", caller: "key", method: "POST", path: chat, headers: kept, body: { model: "relay-v1", messages } },
  { name: "another body", caller: "key", method: "POST", path: chat, headers: kept, body: { model: "relay-v1", messages, n: 1 } },
  {
    name: "a key too long",
    caller: "key",
    method: "POST",
    path: chat,
    headers: { "idempotency-key": "a".repeat(256) },
    body: { model: "relay-v1", messages },
  },
];

const reads = (caller: Caller, ...paths: string[]): CorpusRequest[] =>
  paths.map((path) => ({ name: `${caller} reads ${path}`, caller, method: "GET", path }));

const ownPages = [
  "me",
  "keys",
  "entries",
  "entries?kind=credits",
  "entries?kind=none",
  "usage?days=30",
  "usage/csv",
  "usage/summary",
  "usage/summary?group=model",
  "running",
  "requests/none",
  "spend",
  "spend?days=30",
  "statement?month=2020-01",
  "statement",
  "statement/csv?month=2020-01",
  "tasks",
  "tasks/none",
  "task-times",
  "sessions",
  "packages",
  "payments",
  "prices",
  "prices/history?model=RelayV1",
  "version",
  "nothing",
  "playground/v1/models",
  "playground/v1/balance",
].map((path) => `/api/${path}`);

const operatorPages = [
  "accounts",
  "accounts?q=a",
  "accounts/none",
  "actions",
  "actions/chain",
  "actions/csv",
  "channels",
  "invites",
  "money",
  "money/csv",
  "notices",
  "overview",
  "packages",
  "payments",
  "prices",
  "prices/versions",
  "requests",
  "requests/none",
  "settings",
  "stuck",
  "tasks",
  "vouchers",
].map((path) => `/api/admin/${path}`);

const writes = (caller: Caller, path: string, ...bodies: unknown[]): CorpusRequest[] =>
  bodies.map((body, index) => ({ name: `${caller} writes ${path} (${index})`, caller, method: "POST", path, body }));

const pageWrites: CorpusRequest[] = [
  ...writes(
    "nobody",
    "/api/sign-up",
    {},
    { email: "no address", password: "correct horse battery" },
    { email: "a@example.com", password: "short" },
  ),
  ...writes("nobody", "/api/keys", { name: "x" }),
  ...writes("person", "/api/keys", {}, { name: "" }, { name: "x", requestsPerMinute: 0 }, { name: "x", colour: "red" }, { name: "corpus" }),
  ...writes("person", "/api/vouchers/redeem", { code: "none-such-code" }, {}),
  ...writes("person", "/api/profile", { name: 5 }, { name: "Ada" }),
  ...writes("person", "/api/account", { lowBalanceNotice: "ten" }),
  ...writes("person", "/api/password", { currentPassword: "wrong wrong wrong", newPassword: "another long password" }),
  ...writes("person", "/api/playground/v1/chat/completions", { model: "relay-v1", messages }, { model: "none", messages }),
  ...writes("person", "/api/admin/invites", {}),
  ...writes("operator", "/api/admin/invites", {}),
  ...writes("operator", "/api/admin/vouchers", {}, { points: "0", count: 1 }),
  ...writes("operator", "/api/admin/channels", {}),
  ...writes("operator", "/api/admin/prices", { model: "none" }),
  ...writes("operator", "/api/admin/settings", { name: "none", value: "1" }),
];

const addresses: CorpusRequest[] = [
  ...reads("key", "/v1/models", "/v1/models/super-relay-2", "/v1/models/none", "/v1/models?limit=5", "/v1/balance", "/v1/key"),
  ...reads(
    "key",
    "/v1/usage",
    "/v1/usage?group_by=model",
    "/v1/usage?group_by=none",
    "/v1/usage?from=2020-01-01&to=2021-12-31",
    "/v1/nothing",
  ),
  { name: "the usage as a table", caller: "key", method: "GET", path: "/v1/usage?group_by=key", headers: { accept: "text/csv" } },
  ...reads("nobody", "/v1/models", "/v1", "/v1/media/media_0.png", "/healthz", "/readyz", "/v1/openapi.json"),
  ...reads("unknown key", "/v1/models", "/v1/balance"),
  { name: "a method that is not taken", caller: "key", method: "PUT", path: "/v1/models", body: {} },
  { name: "a head", caller: "key", method: "HEAD", path: "/v1/models" },
  { name: "a wrong type", caller: "key", method: "POST", path: chat, headers: { "content-type": "text/plain" }, body: "{}" },
  { name: "a packed body", caller: "key", method: "POST", path: chat, headers: { "content-encoding": "gzip" }, body: "{}" },
  { name: "a client's id", caller: "key", method: "GET", path: "/v1/key", headers: { "x-client-request-id": "mine" } },
];

export const corpusRequests: readonly CorpusRequest[] = [
  ...addresses,
  ...chatCases,
  ...idempotent,
  ...quoteCases,
  ...imageCases,
  ...videoCases,
  ...taskCases,
  ...reads("nobody", ...ownPages, "/api/admin/overview"),
  ...pageWrites,
  ...reads("person", ...ownPages, "/api/admin/overview"),
  ...reads("operator", ...operatorPages),
];
