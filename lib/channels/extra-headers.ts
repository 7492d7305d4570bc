/** The headers that a channel sends beside the relay's own, as operators give them. */
import { type HeaderProblem, headerProblem } from "../contract/channel-headers";
import { CHANNEL_HEADERS_MAX, HEADER_NAME_MAX, HEADER_VALUE_MAX } from "../contract/limits";
import { invalidValue } from "../failures/relay-error";
import { isRecord } from "../values/records";

export type ExtraHeaders = Readonly<Record<string, string>>;

const reasons: Readonly<Record<HeaderProblem, string>> = {
  name: `a name has 1 to ${HEADER_NAME_MAX} letters, digits and signs of RFC 9110`,
  connection: "it is about the connection or the body, and is set by what sends the request",
  relay: "the relay sets it itself",
  credential: "it carries a credential, and headers are shown: set the channel's API key instead",
  value: `a value has 1 to ${HEADER_VALUE_MAX} printable ASCII characters, and no space at its ends`,
};

/** By lower-case name. Throws `invalid_value`. */
export function cleanHeaders(given: ExtraHeaders): ExtraHeaders {
  const entries = Object.entries(given);
  const refuse = (message: string) => invalidValue("headers", message);
  if (entries.length > CHANNEL_HEADERS_MAX)
    throw refuse(
      `headers has ${entries.length} entries: at most ${CHANNEL_HEADERS_MAX} are allowed.`,
    );
  const clean = entries.map(([name, value]) => [name.trim().toLowerCase(), value.trim()] as const);
  for (const [name, value] of clean) {
    const problem = headerProblem(name, value);
    if (problem !== null)
      throw refuse(
        `headers has ${JSON.stringify(name.slice(0, HEADER_NAME_MAX))}, which cannot be sent: ${reasons[problem]}.`,
      );
  }
  const names = clean.map(([name]) => name);
  const twice = names.find((name, place) => names.indexOf(name) !== place);
  if (twice !== undefined) throw refuse(`headers has ${twice} twice: case makes no difference.`);
  return Object.fromEntries(clean);
}

export const readHeaders = (stored: unknown): ExtraHeaders =>
  isRecord(stored)
    ? Object.fromEntries(
        Object.entries(stored).flatMap(([name, value]) =>
          typeof value === "string" ? [[name, value]] : [],
        ),
      )
    : {};
