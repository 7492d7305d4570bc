/**
 * Checks requests to the sign-in library's addresses, which the library itself would read
 * unchecked.
 */
import { invalidValue, RelayError } from "../failures/relay-error";
import { parseStrictJson } from "../json/strict-json";

const FIELDS_MAX = 20;
const FIELD_CHARACTERS_MAX = 8192;

/** Null for a value that is not flat: an object's own `toString` is never called. */
const textOf = (value: unknown): string | null =>
  ["string", "boolean", "number"].includes(typeof value) ? String(value) : null;

function fieldsOf(type: string, bytes: Uint8Array): [string, unknown][] {
  if (bytes.length === 0) return [];
  if (/^application\/x-www-form-urlencoded\s*(;|$)/i.test(type))
    return [...new URLSearchParams(Buffer.from(bytes).toString())];
  if (!/^application\/json\s*(;|$)/i.test(type)) throw new RelayError("unsupported_media_type");
  const parsed = parseStrictJson(bytes);
  if (typeof parsed === "object" && parsed !== null && !Array.isArray(parsed))
    return Object.entries(parsed);
  throw new RelayError("invalid_value", { message: "The body must be a JSON object." });
}

/** The fields of a POST as a form: a bounded number of flat texts. Throws for anything else. */
export async function readAuthForm(request: Request): Promise<URLSearchParams> {
  const fields = fieldsOf(
    request.headers.get("content-type") ?? "",
    new Uint8Array(await request.arrayBuffer()),
  );
  if (fields.length > FIELDS_MAX)
    throw new RelayError("invalid_value", {
      message: `The body has more than ${FIELDS_MAX} fields.`,
    });
  return new URLSearchParams(
    fields.map(([name, value]) => {
      const text = textOf(value);
      if (text !== null && text.length <= FIELD_CHARACTERS_MAX) return [name, text];
      const param = name.slice(0, 60);
      const message = `\`${param}\` must be a string of at most ${FIELD_CHARACTERS_MAX} characters.`;
      throw invalidValue(param, message);
    }),
  );
}
