import { type EndpointGroup, endpointGroups } from "../contract/endpoint";

/** The pages of the documentation in reading order. Their text is under `docs` in the messages. */
export const guideNames = [
  "streaming",
  "videos",
  "images",
  "retries",
  "webhooks",
  "limits",
  "errors",
  "billing",
  "libraries",
  "clients",
] as const;
export type GuideName = (typeof guideNames)[number];

const groupNames = {
  chat: "chatApi",
  messages: "messagesApi",
  responses: "responsesApi",
  images: "imagesApi",
  videos: "videosApi",
  files: "filesApi",
  models: "modelsApi",
  account: "accountApi",
  keys: "keysApi",
  members: "membersApi",
  service: "serviceApi",
} as const satisfies Record<EndpointGroup, string>;

/** The pages of the API reference. */
export const groupPages = endpointGroups.map((group) => ({
  group,
  name: groupNames[group],
  path: `/docs/api/${group}` as const,
}));

/** Every page of the documentation: the quick start first, the reference last. */
export const docPages = [
  { name: "start", path: "/docs" },
  ...guideNames.map((name) => ({ name, path: `/docs/${name}` as const })),
  { name: "api", path: "/docs/api" },
  ...groupPages.map(({ name, path }) => ({ name, path })),
] as const;
export type DocPage = (typeof docPages)[number];
