/**
 * Who may read what was ordered in an account: a key no more than it may make itself; and of that,
 * what its own maker ordered, or everything where the maker's role says so. The same holds for a
 * member in a session.
 */
import { rolesOf } from "../contract/member-roles";

export interface OrderReader {
  readonly accountId: string;
  /** Null in a session. */
  readonly apiKeyId: string | null;
  /** The member of a session; null for a key, which reads as its maker does. */
  readonly userId: string | null;
  /** Catalogue identifiers; empty for all. */
  readonly models: readonly string[];
}

/** The SQL of an order's columns. */
interface OrderColumns {
  readonly accountId: string;
  readonly apiKeyId: string;
  /** The member who ordered in the playground. */
  readonly userId: string;
  /** Null where the order's model is checked otherwise. */
  readonly model: string | null;
}

/** The values of `readableBy`, in their order. */
export const readerValues = ({ apiKeyId, userId, models }: OrderReader): unknown[] => [
  apiKeyId,
  userId,
  models,
  rolesOf.readEveryResult,
];

const makerOf = (key: string) => `(select k.created_by from api_key k where k.id = ${key})`;

/** The condition under which an order may be read; its four values begin at `$at`. */
export function readableBy(order: OrderColumns, at: number): string {
  const [key, user, models, roles] = [at, at + 1, at + 2, at + 3].map((place) => `$${place}`);
  const reader = `coalesce(${user}::text, ${makerOf(`${key}::text`)})`;
  const isAllowed = `(cardinality(${models}::text[]) = 0${order.model === null ? " or true" : ` or ${order.model} = any(${models})`})`;
  return `${isAllowed} and (${order.apiKeyId} = ${key}
    or coalesce(${order.userId}, ${makerOf(order.apiKeyId)}) = ${reader}
    or exists (select from account_member reading where reading.account_id = ${order.accountId}
      and reading.user_id = ${reader} and reading.role = any(${roles}::text[])))`;
}
