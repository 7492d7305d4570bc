/** The pages of the documentation in reading order. Their text is under `docs` in the messages. */
export const guideNames = [
  "streaming",
  "videos",
  "images",
  "retries",
  "limits",
  "errors",
  "billing",
  "libraries",
] as const;
export type GuideName = (typeof guideNames)[number];

/** Every page of the documentation: the quick start first, the reference last. */
export const docPages = [
  { name: "start", path: "/docs" },
  ...guideNames.map((name) => ({ name, path: `/docs/${name}` as const })),
  { name: "api", path: "/docs/api" },
] as const;
export type DocPage = (typeof docPages)[number];
