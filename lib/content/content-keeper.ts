/**
 * Keeps what requests ask and what they are answered, for accounts that chose so, and the answers
 * that sessions of the playground wait for, encrypted. It is
 * written a moment after the request has ended: no request waits for it, and a process that is killed
 * loses the last moment.
 */
import type pg from "pg";
import { CONTENT_CHARACTERS_MAX } from "../contract/limits";
import { seal } from "../crypto/seal";
import type { Secrets } from "../crypto/secrets";
import { AccountKeys } from "../stored-responses/account-key";
import { type StudioOrder, writeStudioAnswer } from "./studio-answers";

/** Of a process: of requests that run, and of those that wait to be written. */
const MEMORY_CHARACTERS_MAX = 64 * 1024 * 1024;
const FLUSH_MS = 1000;
/** Of an answer as it is sent, whose text alone is kept: a few words are a line of a stream. */
const STUDIO_OUTPUT_CHARACTERS_MAX = 4 * CONTENT_CHARACTERS_MAX;

export type ContentPart = "input" | "output";
/** What a part is encrypted with, so that it is no other's. */
export const boundTo = (operationId: string, part: ContentPart) => `${operationId} ${part}`;

/** Whose request it is. */
interface Ordered {
  readonly operationId: string;
  readonly accountId: string;
  readonly apiKeyId: string | null;
  /** The member who ordered in the playground. */
  readonly userId: string | null;
  /** The catalogue's identifier. */
  readonly model: string;
  /** Whether the account keeps it. */
  readonly isKept: boolean;
  /** Null where no session of the playground may wait for the answer. */
  readonly studio: StudioOrder | null;
}

/** The content of a request that runs. */
export interface ContentDraft {
  /** The next text that the client is sent. */
  add(text: string): void;
  /** The request has ended. */
  end(): void;
}

interface Content {
  readonly ordered: Ordered;
  readonly input: string | null;
  readonly output: string | null;
  readonly characters: number;
}

export interface ContentKeeper {
  /** `input`: null where it is too long. Null while the process has no room. */
  open(ordered: Ordered, input: string | null): ContentDraft | null;
  /** Writes what waits. Rejects when the database does not answer; it waits on then. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

interface KeeperDeps {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
}

/** The account may have chosen otherwise meanwhile. */
const insert = `
insert into request_content (operation_id, account_id, api_key_id, user_id, model, input, output, expires_at)
select $2::uuid, id, $3, $4, $5, $6::bytea, $7::bytea, now() + make_interval(days => content_days)
  from account where id = $1 and status <> 'closed' and content_days is not null for share
on conflict (operation_id) do nothing`;

async function writeContent(
  { pool, secrets }: KeeperDeps,
  { ordered, input, output }: Content,
): Promise<void> {
  const { operationId, accountId, apiKeyId, userId, model } = ordered;
  const key = await new AccountKeys(pool, secrets).keyOf(accountId);
  if (key === null) return;
  const sealed = (part: ContentPart, text: string | null) =>
    text === null ? null : seal(key, boundTo(operationId, part), text);
  const isShort = output !== null && output.length <= CONTENT_CHARACTERS_MAX;
  const parts = [sealed("input", input), sealed("output", isShort ? output : null)];
  await pool.query(insert, [accountId, operationId, apiKeyId, userId, model, ...parts]);
}

class Keeper implements ContentKeeper {
  #waiting: Content[] = [];
  #characters = 0;
  #timer: NodeJS.Timeout | undefined;
  #turn: Promise<void> = Promise.resolve();
  #hadProblem = false;

  constructor(
    readonly deps: KeeperDeps,
    readonly onProblem: (error: unknown) => void,
  ) {}

  /** Whether so much more is in memory now. */
  #take(characters: number): boolean {
    if (this.#characters + characters > MEMORY_CHARACTERS_MAX) return false;
    this.#characters += characters;
    return true;
  }

  #free(characters: number): void {
    this.#characters -= characters;
  }

  open(ordered: Ordered, input: string | null): ContentDraft | null {
    const taken = input?.length ?? 0;
    if (!this.#take(taken)) return null;
    const most = ordered.studio ? STUDIO_OUTPUT_CHARACTERS_MAX : CONTENT_CHARACTERS_MAX;
    let output: string[] | null = [];
    let length = 0;
    return {
      add: (text) => {
        if (output === null) return;
        if (length + text.length <= most && this.#take(text.length)) {
          output.push(text);
          length += text.length;
          return;
        }
        output = null;
        this.#free(length);
        length = 0;
      },
      end: () => {
        const text = length === 0 ? null : (output?.join("") ?? null);
        this.#waiting.push({ ordered, input, output: text, characters: taken + length });
        this.#wake();
      },
    };
  }

  async #write(): Promise<void> {
    for (let next = this.#waiting[0]; next !== undefined; next = this.#waiting[0]) {
      const { ordered, output } = next;
      if (ordered.isKept) await writeContent(this.deps, next);
      if (ordered.studio && output !== null)
        await writeStudioAnswer(this.deps, ordered.studio, output);
      this.#waiting.shift();
      this.#free(next.characters);
    }
  }

  /** One at a time, so that what was written is not written again. */
  flush(): Promise<void> {
    const written = this.#turn.then(() => this.#write());
    this.#turn = written.catch(() => {});
    return written;
  }

  #wake(): void {
    this.#timer ??= setTimeout(() => this.#later(), FLUSH_MS).unref();
  }

  #later(): void {
    this.#timer = undefined;
    this.flush().then(
      () => {
        this.#hadProblem = false;
      },
      (error: unknown) => {
        if (!this.#hadProblem) this.onProblem(error);
        this.#hadProblem = true;
        this.#wake();
      },
    );
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await this.flush().catch(this.onProblem);
    clearTimeout(this.#timer);
  }
}

export const createContentKeeper = (
  deps: KeeperDeps,
  onProblem: (error: unknown) => void,
): ContentKeeper => new Keeper(deps, onProblem);
