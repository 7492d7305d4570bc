/** The type of a corpus request, and what several kinds of them share. */

/** The caller: nobody, an API key, an unknown key, a signed-in user, an operator. */
export type Caller = "nobody" | "key" | "unknown key" | "person" | "operator";

export interface CorpusRequest {
  readonly name: string;
  /** Absent: an API key. */
  readonly caller?: Caller;
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

export const chat = "/v1/chat/completions";
export const messages = [{ role: "user", content: "hi" }];

export function asKey(
  method: string,
  path: string,
  cases: Readonly<Record<string, unknown>>,
): CorpusRequest[] {
  return Object.entries(cases).map(([name, body]) => ({ name, method, path, body }));
}

export const reads = (caller: Caller, ...paths: string[]): CorpusRequest[] =>
  paths.map((path) => ({ name: `${caller} reads ${path}`, caller, method: "GET", path }));

export const writes = (caller: Caller, path: string, ...bodies: unknown[]): CorpusRequest[] =>
  bodies.map((body, index) => ({
    name: `${caller} writes ${path} (${index})`,
    caller,
    method: "POST",
    path,
    body,
  }));
