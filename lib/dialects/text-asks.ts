/** What a request for text asks for beyond one written answer. Each of it has a bound and a rate. */
import type { TextOffers } from "../catalog/text-offers";
import type { TierParts } from "../contract/text-tiers";

export interface Asks {
  readonly answers: number;
  readonly tier: TierParts;
  /** Whether tools run at the upstream. */
  readonly runsTools: boolean;
  readonly isSpoken: boolean;
  /** The most tokens of its sounds. */
  readonly soundTokens: number;
  /** Whether the upstream adds input of its own, up to the model's context. */
  readonly addsInput: boolean;
  /** Turns besides the first, which may count the whole context and the whole answer again. */
  readonly turns: number;
  /** Output tokens that may be counted beyond the cap. */
  readonly moreOutput: number;
}

export const plainAsks: Asks = {
  answers: 1,
  tier: {},
  runsTools: false,
  isSpoken: false,
  soundTokens: 0,
  addsInput: false,
  turns: 0,
  moreOutput: 0,
};

/** What a model offers, as far as its price has rates for it. */
export interface SoldText {
  readonly offers: TextOffers;
  /** Whether answers may be spoken. */
  readonly hasSpeech: boolean;
  hasTier(name: string): boolean;
}

/** The kind of a tool that runs at an upstream: its type without the date of its version. */
const toolKind = (type: string): string =>
  type.replace(/(?:_preview)?(?:_\d{4}_?\d{2}_?\d{2})?$/, "");

export const offersTool = ({ offers }: SoldText, type: unknown): boolean =>
  typeof type === "string" && offers.tools?.types.includes(toolKind(type)) === true;

/** The fields of a request that its model passes to an upstream of the same API, and what they add. */
export function passedFields(
  request: { readonly [name: string]: unknown },
  table: { readonly [name: string]: "nothing" | "input" | "turn" },
  { offers: { passes = [] } }: SoldText,
): { readonly fields: Record<string, unknown>; readonly asks: Pick<Asks, "addsInput" | "turns"> } {
  const named = Object.entries(table).filter(
    ([name]) => passes.includes(name) && request[name] !== undefined && request[name] !== null,
  );
  return {
    fields: Object.fromEntries(named.map(([name]) => [name, request[name]])),
    asks: {
      addsInput: named.some(([, adds]) => adds !== "nothing"),
      turns: named.filter(([, adds]) => adds === "turn").length,
    },
  };
}
