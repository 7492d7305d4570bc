/** A few example requests per address. The API document shows them, and a test sends them. */
import { exampleFilm, exampleImage, exampleText, exampleVideo } from "../catalog/example-models";

export interface Example {
  readonly name: string;
  readonly summary: string;
  readonly body: Readonly<Record<string, unknown>>;
}

const capped = () => ({
  name: "capped",
  summary: "Give the model a role and cap its answer",
  body: {
    model: exampleText(),
    messages: [
      { role: "system", content: "Answer in one sentence." },
      { role: "user", content: "What is a relay?" },
    ],
    max_tokens: 300,
    temperature: 0.2,
  },
});

const chat = (): Example[] => [
  {
    name: "question",
    summary: "Ask one question",
    body: { model: exampleText(), messages: [{ role: "user", content: "Why is the sky blue?" }] },
  },
  capped(),
  {
    name: "streamed",
    summary: "Stream the answer, with its usage at the end",
    body: {
      model: exampleText(),
      messages: [{ role: "user", content: "Count to five." }],
      stream: true,
      stream_options: { include_usage: true },
    },
  },
];

const question = () => ({
  model: exampleText(),
  messages: [{ role: "user", content: "Why is the sky blue?" }],
});

const messages = (): Example[] => [
  { name: "question", summary: "Ask one question", body: { ...question(), max_tokens: 300 } },
  {
    name: "streamed",
    summary: "Give the model a role, and stream its answer",
    body: { ...question(), system: "Answer in one sentence.", max_tokens: 300, stream: true },
  },
];

const responses = (): Example[] => [
  {
    name: "question",
    summary: "Ask one question",
    body: { model: exampleText(), input: "Why is the sky blue?", max_output_tokens: 300 },
  },
  {
    name: "streamed",
    summary: "Give the model a role, stream its answer, and store nothing",
    body: {
      model: exampleText(),
      instructions: "Answer in one sentence.",
      input: "Why is the sky blue?",
      store: false,
      stream: true,
    },
  },
];

const media = (): Record<string, readonly Example[]> => ({
  "/v1/videos/generations": [
    {
      name: "video",
      summary: "Five seconds in 720p",
      body: {
        model: exampleVideo(),
        prompt: "A paper boat on a quiet lake",
        resolution: "720p",
        ratio: "16:9",
        duration: 5,
      },
    },
  ],
  "/v1/videos": [
    {
      name: "video",
      summary: "Order a video of five seconds",
      body: {
        model: exampleFilm(),
        prompt: "A paper boat on a quiet lake",
        seconds: "5",
        size: "1280x720",
      },
    },
  ],
  "/v1/contents/generations/tasks": [
    {
      name: "task",
      summary: "Create a video task, with flags at the end of the text",
      body: {
        model: exampleVideo(),
        content: [
          { type: "text", text: "A paper boat on a quiet lake --resolution 480p --duration 5" },
        ],
      },
    },
  ],
  "/v1/images/generations": [
    {
      name: "image",
      summary: "A square image",
      body: { model: exampleImage(), prompt: "A paper boat, ink drawing", size: "1024x1024" },
    },
  ],
  "/v1/images/edits": [
    {
      name: "edit",
      summary: "Work from an image at an address",
      body: {
        model: exampleImage(),
        image: "https://example.com/boat.png",
        prompt: "The same boat at night",
        size: "1024x1024",
      },
    },
  ],
});

/** By path; each is a POST. They name models that are on offer now. */
export const examples = (): Readonly<Record<string, readonly Example[]>> => ({
  "/v1/chat/completions": chat(),
  "/v1/responses": responses(),
  "/v1/responses/compact": [
    {
      name: "conversation",
      summary: "Compact a conversation",
      body: { model: exampleText(), input: question().messages },
    },
  ],
  "/v1/messages": messages(),
  "/v1/messages/count_tokens": [
    { name: "question", summary: "Count the tokens of a question", body: question() },
  ],
  ...media(),
  "/v1/keys": [
    {
      name: "key",
      summary: "Create a key for one program, with a budget",
      body: { name: "nightly batch", models: [exampleText()], budget_points: 500 },
    },
  ],
  "/v1/keys/{id}": [
    {
      name: "limits",
      summary: "Change the limits of a key",
      body: { requests_per_minute: 30, hourly_spend_points_max: 50 },
    },
  ],
  "/v1/members/{id}": [
    {
      name: "budget",
      summary: "Let a member spend 50 points a day",
      body: { day_budget_points: 50, budget_zone: "Europe/Berlin" },
    },
  ],
  "/v1/invitations": [
    {
      name: "developer",
      summary: "Invite a developer by a link",
      body: { role: "developer" },
    },
  ],
  "/v1/quote": [
    {
      name: "chat",
      summary: "The price of a chat request",
      body: { endpoint: "createChatCompletion", ...capped().body },
    },
  ],
});

/** The address of a call without a body: the path's parameter, and the query. */
export const exampleAddresses = (): Readonly<
  Record<string, { readonly parameter?: string; readonly query?: string }>
> => ({
  getMedia: { parameter: "FILE" },
  getVideoTask: { parameter: "TASK_ID" },
  streamVideoTask: { parameter: "TASK_ID" },
  deleteVideoTask: { parameter: "TASK_ID" },
  listVideoTasks: { query: "filter.status=succeeded&page_size=5" },
  listVideoJobs: { query: "limit=5" },
  listImages: { query: "filter.status=succeeded&page_size=5" },
  getImage: { parameter: "IMAGE_ID" },
  deleteImage: { parameter: "IMAGE_ID" },
  getVideoJob: { parameter: "TASK_ID" },
  deleteVideoJob: { parameter: "TASK_ID" },
  getVideoContent: { parameter: "TASK_ID" },
  getResponse: { parameter: "RESPONSE_ID" },
  deleteResponse: { parameter: "RESPONSE_ID" },
  cancelResponse: { parameter: "RESPONSE_ID" },
  listInputItems: { parameter: "RESPONSE_ID", query: "order=asc" },
  getModel: { parameter: exampleFilm() },
  getUsage: { query: "group_by=model" },
  listApiKeys: { query: "limit=5" },
  getApiKey: { parameter: "KEY_ID" },
  changeApiKey: { parameter: "KEY_ID" },
  revokeApiKey: { parameter: "KEY_ID" },
  getMember: { parameter: "USER_ID" },
  changeMember: { parameter: "USER_ID" },
  removeMember: { parameter: "USER_ID" },
  revokeInvitation: { parameter: "INVITATION_ID" },
});
