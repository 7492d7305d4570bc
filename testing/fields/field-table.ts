/** The clients whose types have a field; none for the documents alone. */
type FieldClient =
  | "AI SDK"
  | "Volcengine SDK"
  | "BytePlus SDK"
  | "OpenAI SDK"
  | "OpenAI SDK 7"
  | "Anthropic SDK"
  | "Anthropic SDK, beta";

export interface Documented {
  readonly field: string;
  readonly clients: readonly FieldClient[];
  /** The members of an order that have it, beside what every order needs. */
  readonly order: object;
  /** The upstream's name, where it is another; null where we do what the field says. */
  readonly upstream?: string | null;
}

export interface FieldTable {
  readonly name: string;
  readonly endpoint: string;
  readonly fields: readonly Documented[];
}

/** What came of an order that was placed. */
export interface Placed {
  /** What its upstream gets. */
  readonly sent: Readonly<Record<string, unknown>>;
  /** What it holds, or would cost; equal for orders that differ in nothing that has a price. */
  readonly cost: string;
  /** The fields that were left out and named. */
  readonly ignored: readonly string[];
}

export type Place = (order: object) => Promise<Placed> | Placed;
