/** A request as the bytes to send, and the answers that are allowed. */
export interface RawCase {
  readonly name: string;
  /** `HOST` and `KEY` are replaced by those of the target. */
  readonly bytes: string | Buffer;
  /**
   * `answered`: the request is well formed, so it must be answered. `refused`: a 4xx or a closed
   * connection. `any`: no 5xx and no missing answer.
   */
  readonly wanted: "answered" | "refused" | "any";
  /**
   * The most answers that the connection may get: another one would mean that a request was
   * smuggled in.
   */
  readonly answersMax?: number;
  readonly isHead?: boolean;
  /** The case ends only with the server's own timeout. */
  readonly isSlow?: boolean;
}

export const get = (path: string, lines = "", version = "HTTP/1.1") =>
  `GET ${path} ${version}\r\nhost: HOST\r\nauthorization: Bearer KEY\r\nconnection: close\r\n${lines}\r\n`;
export const post = (path: string, lines: string, body: string) =>
  `POST ${path} HTTP/1.1\r\nhost: HOST\r\nauthorization: Bearer KEY\r\ncontent-type: application/json\r\n${lines}\r\n${body}`;
export const closing = "connection: close\r\n";

type More = Pick<RawCase, "answersMax" | "isHead" | "isSlow">;
const wanting =
  (wanted: RawCase["wanted"]) =>
  (name: string, bytes: RawCase["bytes"], more: More = {}): RawCase => ({
    ...{ name, bytes, wanted, ...more },
  });
export const answered = wanting("answered");
export const refused = wanting("refused");
export const harmless = wanting("any");
