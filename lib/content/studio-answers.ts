/** Answers that sessions of the playground wait for, written when their requests have ended. */
import type pg from "pg";
import { answeredCalls, type ToolCall } from "../contract/answered-calls";
import { answeredText, parsedOf } from "../contract/answered-text";
import { CONTENT_CHARACTERS_MAX } from "../contract/limits";
import { seal, unseal } from "../crypto/seal";
import type { Secrets } from "../crypto/secrets";
import { AccountKeys } from "../stored-responses/account-key";
import { isRecord } from "../values/records";

/** With its text, the calls of one answer and what JSON escapes. */
const ANSWER_CHARACTERS_MAX = 4 * CONTENT_CHARACTERS_MAX;

/** A request of the playground, which a session may wait for. */
export interface StudioOrder {
  readonly accountId: string;
  readonly userId: string;
  /** The Idempotency-Key. */
  readonly orderKey: string;
  readonly requestId: string;
}

export interface StudioAnswer {
  readonly orderKey: string;
  readonly requestId: string;
  readonly text: string;
  readonly toolCalls: ToolCall[];
}

export interface SealedAnswer {
  readonly orderKey: string;
  readonly requestId: string;
  readonly answer: Buffer;
}

type Said = Pick<StudioAnswer, "text" | "toolCalls">;
const isSaid = (value: unknown): value is Said =>
  isRecord(value) && typeof value.text === "string" && Array.isArray(value.toolCalls);

const boundTo = (userId: string, orderKey: string) => `studio ${userId} ${orderKey}`;

/** Those that can be decrypted. */
export function openedAnswers(
  key: Buffer,
  userId: string,
  sealed: readonly SealedAnswer[],
): StudioAnswer[] {
  return sealed.flatMap(({ orderKey, requestId, answer }) => {
    try {
      const said = parsedOf(unseal(key, boundTo(userId, orderKey), answer));
      return isSaid(said) ? { orderKey, requestId, ...said } : [];
    } catch {
      return [];
    }
  });
}

const whose = "account_id = $1 and user_id = $2 and order_key = $3 and answer is null";

/** Writes the answer into the sessions that wait for it, of which there may be none. */
export async function writeStudioAnswer(
  { pool, secrets }: { readonly pool: pg.Pool; readonly secrets: Secrets },
  { accountId, userId, orderKey, requestId }: StudioOrder,
  output: string,
): Promise<void> {
  const owner = [accountId, userId, orderKey];
  const { rowCount } = await pool.query(`select from studio_answer where ${whose} limit 1`, owner);
  if (rowCount === 0) return;
  const said: Said = {
    text: answeredText(output).slice(0, CONTENT_CHARACTERS_MAX),
    toolCalls: [...answeredCalls(output)],
  };
  const json = JSON.stringify(said);
  const isNothing = said.text === "" && said.toolCalls.length === 0;
  if (isNothing || json.length > ANSWER_CHARACTERS_MAX) return;
  const key = await new AccountKeys(pool, secrets).keyOf(accountId);
  if (key === null) return;
  const answer = seal(key, boundTo(userId, orderKey), json);
  await pool.query(`update studio_answer set request_id = $4, answer = $5 where ${whose}`, [
    ...owner,
    requestId,
    answer,
  ]);
}
