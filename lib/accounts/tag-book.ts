/** Counts the names and values of an account's tags in a month, so that they stay few. */
import type pg from "pg";
import { TAG_NAMES_MAX, TAG_VALUES_MAX } from "../contract/limits";
import type { Tags } from "../contract/tags";
import { invalidValue, RelayError } from "../failures/relay-error";
import type { Principal } from "./principal";

/** Some megabytes. */
const KNOWN_MAX = 20_000;

/** Notes the tags of an order before anything is held. Throws `invalid_value`, naming the tag. */
export type AdmitTags = (sender: Principal, tags: Tags) => Promise<void>;

/** The month of a time, as its first day (UTC). */
const monthOf = (time: number) => `${new Date(time).toISOString().slice(0, 7)}-01`;

/** The database lets a person have twice as many as a key, and the account four times as many. */
function refusal(answer: string): RelayError {
  const name = JSON.stringify(answer.slice(1));
  const isName = answer.startsWith("n");
  const [what, most] = isName
    ? [`The tag ${name}`, TAG_NAMES_MAX]
    : [`The value of the tag ${name}`, TAG_VALUES_MAX];
  return invalidValue(
    "x-relay-tags",
    `${what} is a new one: in a month (UTC) an API key may add ${most} ${isName ? "names of tags" : "values of a tag"}, a member with all keys ${2 * most}, and an account ${4 * most}. One of these is reached.`,
  );
}

/**
 * A tag that this process knows costs a look at its memory; a new one costs a transaction of its own.
 * The database counts, under a lock of the account.
 */
export function openTagBook(pool: pg.Pool): AdmitTags {
  const known = new Set<string>();
  return async (sender, tags) => {
    const { accountId } = sender;
    const month = monthOf(Date.now());
    const keyOf = ([name, value]: [string, string]) =>
      JSON.stringify([accountId, month, name, value]);
    const fresh = Object.entries(tags).filter((tag) => !known.has(keyOf(tag)));
    if (fresh.length === 0) return;
    const { rows } = await pool
      .query<{ refused: string | null }>(
        "select tag_admit($1, $2, $3, $4, $5, $6, $7) as refused",
        [
          accountId,
          month,
          fresh.map(([name]) => name),
          fresh.map(([, value]) => value),
          TAG_NAMES_MAX,
          TAG_VALUES_MAX,
          sender.kind === "session" ? sender.userId : sender.apiKeyId,
        ],
      )
      .catch((cause: unknown) => {
        throw new RelayError("database_unavailable", { cause, retryAfterSeconds: 2 });
      });
    const refused = rows[0]?.refused ?? null;
    if (refused !== null) throw refusal(refused);
    if (known.size + fresh.length > KNOWN_MAX) known.clear();
    for (const tag of fresh) known.add(keyOf(tag));
  };
}
