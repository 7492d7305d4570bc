/** What a library that asks for text is made to do, and what the tests see of it. */

/** Where a library asks, and for what. */
export interface Place {
  readonly origin: string;
  readonly key: string;
  readonly model: string;
  /** How often it may send a request again; absent for its default. */
  readonly retries?: number;
  /** Absent for a usual bound. */
  readonly outputTokensMax?: number;
}

export interface Said {
  readonly text: string;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** In how many pieces the text came. */
  readonly pieces: number;
  /** The request's id, where the library tells it. */
  readonly requestId?: string;
}

export interface TextLibrary {
  readonly name: string;
  /** What the ledger calls its API. */
  readonly dialect: "messages" | "responses" | null;
  /** What it calls the errors of a status; absent when one name is for all. */
  readonly errorNames: Readonly<Record<number, string>> | string;
  /** Whether it obeys `x-should-retry` and tells a request's id. */
  readonly heedsRefusals: boolean;
  /** In `npm test` too it is in every situation: one library for each form of an error. */
  readonly isExemplar?: boolean;
  /** The text of an answer that comes whole. */
  say(place: Place, prompt: string): Promise<Said>;
  /** The text of a stream. With `leaveAfter` the client goes after so many pieces. */
  stream(place: Place, prompt: string, leaveAfter?: number): Promise<Said>;
  /** Two turns with the tool `weather`: the arguments of its call, and the text about its result. */
  callTool(place: Place, isStream: boolean): Promise<{ given: unknown; text: string }>;
  /** What the library reads from an answer in the form of `citySchema`; absent when it reads none. */
  makeObject?(place: Place): Promise<unknown>;
}

export const QUESTION = "Use get_weather for Rome.";
export const WEATHER = "22 degrees";
export const citySchema = {
  type: "object" as const,
  properties: { city: { type: "string" as const } },
  required: ["city"],
  additionalProperties: false,
};
export const weather = {
  name: "get_weather",
  description: "The weather of a city",
};
export const baseUrlOf = ({ origin }: Place) => `${origin}/v1`;

/** The names in the libraries of OpenAI and Anthropic, in every language. */
export const errorNames = {
  400: "BadRequestError",
  401: "AuthenticationError",
  402: "APIError",
  403: "PermissionDeniedError",
  404: "NotFoundError",
  429: "RateLimitError",
  502: "InternalServerError",
} as const;

export interface Refusal {
  readonly name: string;
  readonly status: number;
  readonly code: string;
  readonly requestId?: string;
}

const isTold = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null;
const memberOf = (value: unknown, name: string) => (isTold(value) ? value[name] : undefined);

/** What an error says of a refused request, in whichever library. */
export function refusalOf(error: unknown): Refusal {
  const text = memberOf(error, "responseBody");
  const body = typeof text === "string" ? JSON.parse(text) : memberOf(error, "error");
  const inner = memberOf(body, "error") ?? body;
  const requestId = memberOf(error, "requestID");
  const name = memberOf(error, "name");
  return {
    // Some errors have only their class.
    name: String(isTold(error) && name === "Error" ? error.constructor.name : name),
    status: Number(memberOf(error, "status") ?? memberOf(error, "statusCode")),
    code: String(memberOf(error, "code") ?? memberOf(inner, "code")),
    ...(requestId === undefined ? {} : { requestId: String(requestId) }),
  };
}
