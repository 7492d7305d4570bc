/** The tags of an order: those of its body's `metadata`, and those of the header `x-relay-tags`. */
import { TAGS_MAX } from "../contract/limits";
import { readTagText, type Tags, tagFault } from "../contract/tags";
import { invalidValue, type RelayError } from "../failures/relay-error";
import { isRecord } from "../values/records";

export const TAGS_HEADER = "x-relay-tags";

function refuse(param: string, why: string): RelayError {
  return invalidValue(param, `\`${param}\`: ${why}.`);
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** A header has a character for each byte; what is no UTF-8 stays as it is. */
function textOf(header: string): string {
  if (!/[\x80-\xff]/.test(header)) return header;
  try {
    return utf8.decode(Buffer.from(header, "latin1"));
  } catch {
    return header;
  }
}

function tagsOfHeader(header: string): Tags {
  const tags = readTagText(textOf(header));
  if (typeof tags === "string") throw refuse(TAGS_HEADER, tags);
  return tags;
}

function tagsOfBody(body: unknown): Tags {
  const metadata = isRecord(body) ? (body.metadata ?? null) : null;
  if (metadata === null) return {};
  if (!isRecord(metadata) || Array.isArray(metadata))
    throw refuse("metadata", 'send an object of texts, such as {"team": "a"}');
  const given = Object.entries(metadata).map(([name, value]) => {
    const param = `metadata.${name.slice(0, 60)}`;
    if (typeof value !== "string") throw refuse(param, "send a text");
    const fault = tagFault(name, value);
    if (fault !== null) throw refuse(param, fault);
    return [name, value] as const;
  });
  return Object.fromEntries(given);
}

/**
 * The tags of an order; null for none. `hasMetadata`: whether the body's `metadata` are tags. Where both
 * name one, the header's counts. Throws `invalid_value`, which names the tag.
 */
export function tagsOf(
  header: string | undefined,
  body: unknown,
  hasMetadata: boolean,
): Tags | null {
  const ofBody = hasMetadata ? tagsOfBody(body) : {};
  const all = header === undefined ? ofBody : { ...ofBody, ...tagsOfHeader(header) };
  const given = Object.entries(all).filter(([, value]) => value !== "");
  if (given.length === 0) return null;
  if (given.length > TAGS_MAX)
    throw refuse(
      header === undefined ? "metadata" : TAGS_HEADER,
      `there are ${given.length} tags, and at most ${TAGS_MAX} are allowed`,
    );
  return Object.fromEntries(given);
}
