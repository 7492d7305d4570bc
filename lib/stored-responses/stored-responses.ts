/**
 * Responses that clients refer to again, encrypted. One that its reader may not read is
 * none, as is another account's; one that cannot be decrypted is none either.
 */
import type pg from "pg";
import { type InputItem, storedItems, storedResponse } from "../contract/responses";
import { seal, unseal } from "../crypto/seal";
import type { Secrets } from "../crypto/secrets";
import { type OrderReader, readableBy, readerValues } from "../db/order-readers";
import type { InlineImages } from "../json/inline-images";
import { nextTurn } from "../timing/next-turn";
import { AccountKeys, fittingKey, ifOpen } from "./account-key";
import {
  chainQuery,
  living,
  neededQuery,
  neededSizeQuery,
  order,
  orderQuery,
  withKey,
} from "./response-queries";

/** The most bytes of one response. A larger one is not stored. */
const RESPONSE_BYTES_MAX = 8 * 1024 * 1024;
/** The most responses that one continues, one after the other. */
const CHAIN_RESPONSES_MAX = 1000;
/** The most bytes that a request may refer to: what one response may have. */
export const REFERRED_BYTES_MAX = RESPONSE_BYTES_MAX;
/** After this many bytes are decrypted, other requests get their turn. */
const TURN_BYTES = 512 * 1024;
const REMOVED_AT_ONCE = 500;
/** Allows one removal of expired responses at a time. */
const REMOVAL_LOCK = 7_275_619;

export interface NewResponse {
  readonly id: string;
  /** The catalogue's identifier of the model that was asked. */
  readonly model: string;
  readonly previousId: string | null;
  /** The request's own items, without those it refers to. */
  readonly input: readonly unknown[];
  /** The encoded images that the input refers to. */
  readonly images?: InlineImages | undefined;
  readonly output: readonly unknown[];
  /** The rest of the answer. */
  readonly response: object;
}

export interface StoredItems {
  readonly id: string;
  readonly input: readonly InputItem[];
  readonly output: readonly InputItem[];
  /** As they are stored. */
  readonly bytes: number;
}

type Chain =
  | { readonly isWhole: true; readonly responses: readonly StoredItems[] }
  /** `missing` is not stored any more; null when there is too much to read. */
  | { readonly isWhole: false; readonly missing: string | null };

/** A response of which items are needed. */
export interface Needed {
  readonly id: string;
  /** True when its input is needed, too. */
  readonly isInput: boolean;
}

/** How far the request of a response is. */
export interface ResponseOrder {
  /** Null while it is open. */
  readonly outcome: "settled" | "released" | null;
  /** Why it was released. */
  readonly reason: string | null;
  readonly model: string;
  readonly createdAt: Date;
}

export interface StoredResponses {
  /** False while nothing is stored. */
  isOn(): boolean;
  /** Returns whether the response is stored now. */
  keep(reader: OrderReader, response: NewResponse): Promise<boolean>;
  /** The answer, without its output. */
  find(
    reader: OrderReader,
    id: string,
  ): Promise<(StoredItems & { readonly response: Record<string, unknown> }) | null>;
  /** The request that makes or made a response, as long as its response would be stored. */
  order(reader: OrderReader, operationHex: string): Promise<ResponseOrder | null>;
  /** A response and those that it continues, the oldest first. */
  chain(reader: OrderReader, id: string): Promise<Chain>;
  /** The items of those that are stored. Null when there is too much to read. */
  items(reader: OrderReader, needed: readonly Needed[]): Promise<readonly StoredItems[] | null>;
  /** Returns whether there was one. */
  remove(reader: OrderReader, id: string): Promise<boolean>;
  /** Removes what is too old; returns how many. */
  removeExpired(): Promise<number>;
}

export interface StoredResponsesDeps {
  readonly pool: pg.Pool;
  readonly secrets: Secrets;
  /** For how many days responses are stored; 0: not at all. */
  days(): number;
}

interface SealedRow {
  readonly id: string;
  readonly input: Buffer | null;
  readonly output: Buffer;
  readonly response: Buffer | null;
  /** The same in all rows of an account. */
  readonly key: Buffer;
}

type Part = "input" | "output" | "response";
const bound = (id: string, part: Part) => `${id} ${part}`;

interface OpenedRow extends StoredItems {
  readonly response: Record<string, unknown>;
}

/** The request's own items were read before. */
const isReadable = ({ output }: NewResponse): boolean => storedItems.safeParse(output).success;

/** Null when the row cannot be decrypted. */
function openedRow({ id, input, output, response }: SealedRow, key: Buffer): OpenedRow | null {
  const read = (part: Part, sealed: Buffer): unknown =>
    JSON.parse(unseal(key, bound(id, part), sealed));
  try {
    return {
      id,
      input: input === null ? [] : storedItems.parse(read("input", input)),
      output: storedItems.parse(read("output", output)),
      response: response === null ? {} : storedResponse.parse(read("response", response)),
      bytes: (input?.length ?? 0) + output.length,
    };
  } catch {
    return null;
  }
}

class DatabaseResponses implements StoredResponses {
  readonly #keys: AccountKeys;

  constructor(readonly deps: StoredResponsesDeps) {
    this.#keys = new AccountKeys(deps.pool, deps.secrets);
  }

  isOn(): boolean {
    return this.deps.days() > 0;
  }

  async keep(reader: OrderReader, given: NewResponse): Promise<boolean> {
    // What could not be read again is not said to be stored.
    if (!this.isOn() || !isReadable(given)) return false;
    const { accountId, apiKeyId, userId } = reader;
    const { id, previousId, model, images } = given;
    const written = JSON.stringify(given.input);
    const input = images ? await images.joinedInto(written, RESPONSE_BYTES_MAX) : written;
    if (input === null) return false;
    const texts = [
      { part: "input", text: input },
      { part: "output", text: JSON.stringify(given.output) },
      { part: "response", text: JSON.stringify(given.response) },
    ] as const;
    const bytes = texts.reduce((sum, { text }) => sum + Buffer.byteLength(text), 0);
    if (bytes > RESPONSE_BYTES_MAX) return false;
    const key = await this.#keys.keyOf(accountId);
    if (key === null) return false;
    const sealed = texts.map(({ part, text }) => seal(key, bound(id, part), text));
    const insert = async () => {
      const { rowCount } = await this.deps.pool.query(
        `insert into stored_response (account_id, id, previous_id, input, output, response, api_key_id, user_id, model)
         select id, $2, $3, $4::bytea, $5::bytea, $6::bytea, $7, $8, $9 ${ifOpen} on conflict (id) do nothing`,
        [accountId, id, previousId, ...sealed, apiKeyId, userId, model],
      );
      return (rowCount ?? 0) > 0;
    };
    // An operation that is resumed after its process died has an earlier answer under its id.
    return (await insert()) || ((await this.remove(reader, id)) && (await insert()));
  }

  /** Rows that cannot be decrypted are left out. */
  async #opened(accountId: string, rows: readonly SealedRow[]): Promise<OpenedRow[]> {
    const opened: OpenedRow[] = [];
    const [first] = rows;
    const key = first ? fittingKey(this.deps.secrets, accountId, first.key) : null;
    if (key === null) return opened;
    let sinceTurn = 0;
    for (const row of rows) {
      const read = openedRow(row, key);
      if (read === null) continue;
      opened.push(read);
      sinceTurn += read.bytes;
      if (sinceTurn < TURN_BYTES) continue;
      sinceTurn = 0;
      await nextTurn();
    }
    return opened;
  }

  #values(reader: OrderReader): unknown[] {
    return [reader.accountId, this.deps.days(), ...readerValues(reader)];
  }

  async find(reader: OrderReader, id: string) {
    const { rows } = await this.deps.pool.query<SealedRow>(
      `select s.id, s.input, s.output, s.response, a.sealed_key as key from ${withKey} where s.id = $7 and ${living}`,
      [...this.#values(reader), id],
    );
    return (await this.#opened(reader.accountId, rows))[0] ?? null;
  }

  async order(reader: OrderReader, operationHex: string): Promise<ResponseOrder | null> {
    const { rows } = await this.deps.pool.query<ResponseOrder>(orderQuery, [
      ...this.#values(reader),
      operationHex,
    ]);
    return rows[0] ?? null;
  }

  async chain(reader: OrderReader, id: string): Promise<Chain> {
    const { rows } = await this.deps.pool.query<
      SealedRow & { previousId: string | null; place: number; isLong: boolean }
    >(chainQuery, [...this.#values(reader), id, CHAIN_RESPONSES_MAX, REFERRED_BYTES_MAX]);
    const [oldest] = rows;
    if (oldest === undefined) return { isWhole: false, missing: id };
    if (oldest.isLong) return { isWhole: false, missing: null };
    if (oldest.previousId !== null) {
      const isDeep = oldest.place >= CHAIN_RESPONSES_MAX;
      return { isWhole: false, missing: isDeep ? null : oldest.previousId };
    }
    const responses = await this.#opened(reader.accountId, rows);
    const unread = rows.find(({ id: stored }, at) => responses[at]?.id !== stored);
    return unread ? { isWhole: false, missing: unread.id } : { isWhole: true, responses };
  }

  async items(reader: OrderReader, needed: readonly Needed[]) {
    const { pool } = this.deps;
    const inputs = needed.filter(({ isInput }) => isInput);
    const ids = [needed, inputs].map((each) => each.map(({ id }) => id));
    const values = [...this.#values(reader), ...ids];
    const size = await pool.query<{ bytes: number }>(neededSizeQuery, values);
    if ((size.rows[0]?.bytes ?? 0) > REFERRED_BYTES_MAX) return null;
    return this.#opened(reader.accountId, (await pool.query<SealedRow>(neededQuery, values)).rows);
  }

  async remove(reader: OrderReader, id: string): Promise<boolean> {
    const { rowCount } = await this.deps.pool.query(
      `delete from stored_response s where s.id = $1 and s.account_id = $2 and ${readableBy(order, 3)}`,
      [id, reader.accountId, ...readerValues(reader)],
    );
    return (rowCount ?? 0) > 0;
  }

  /** One process at a time, so that two do not wait for each other's accounts. */
  async removeExpired(): Promise<number> {
    for (let removed = 0; ; ) {
      const { rowCount } = await this.deps.pool.query(
        `delete from stored_response where id in (
           select id from stored_response
            where created_at <= now() - make_interval(days => $1) and (select pg_try_advisory_xact_lock($3))
            order by created_at limit $2 for update skip locked)`,
        [this.deps.days(), REMOVED_AT_ONCE, REMOVAL_LOCK],
      );
      removed += rowCount ?? 0;
      if ((rowCount ?? 0) < REMOVED_AT_ONCE) return removed;
    }
  }
}

export const createStoredResponses = (deps: StoredResponsesDeps): StoredResponses =>
  new DatabaseResponses(deps);
