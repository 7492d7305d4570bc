/** Finds models among many by words, a family and an order, one page at a time. */
import { SEARCH_LENGTH_MAX } from "../contract/limits";
import { type Family, families } from "../contract/states";

/** `list` is the catalogue's own. */
const modelOrders = ["list", "name", "price", "speed", "success"] as const;
type ModelOrder = (typeof modelOrders)[number];

/** The models of one page of a list. */
export const MODELS_PER_PAGE = 50;

export interface ModelSearch {
  readonly query: string;
  /** Null for all. */
  readonly family: Family | null;
  readonly order: ModelOrder;
  /** `sort=-price`. */
  readonly isReversed: boolean;
  /** From 1. */
  readonly page: number;
}

export type UrlParameters = Readonly<Record<string, string | string[] | undefined>>;

/** The first value of a parameter; null without one. */
export const textOf = (value: string | string[] | undefined): string | null =>
  [value ?? []].flat()[0] ?? null;

/** A page's address with its parameters, some of them changed; null removes one. */
export function addressWith(
  path: string,
  parameters: UrlParameters,
  changes: Readonly<Record<string, string | null>>,
): string {
  const asked = new URLSearchParams();
  for (const [name, value] of Object.entries({ ...parameters, ...changes })) {
    const text = textOf(value ?? undefined);
    if (text !== null) asked.set(name, text);
  }
  return asked.size === 0 ? path : `${path}?${asked}`;
}

/** What a page's URL asks for. What is not allowed there counts as absent. */
export function modelSearchOf(parameters: UrlParameters): ModelSearch {
  const text = (name: string) => textOf(parameters[name]) ?? "";
  const page = text("page");
  const [, minus, sort] = /^(-?)(.*)$/.exec(text("sort")) ?? [];
  const order = modelOrders.find((each) => each === sort) ?? "list";
  return {
    query: text("q").slice(0, SEARCH_LENGTH_MAX).trim(),
    family: families.find((each) => each === text("family")) ?? null,
    order,
    isReversed: minus === "-" && order !== "list",
    page: /^[1-9]\d{0,3}$/.test(page) ? Number(page) : 1,
  };
}

/** Whether a model of the family is found: `texts`, what it is found by, have every word. */
export function isFound(
  search: Pick<ModelSearch, "query" | "family">,
  family: Family,
  texts: readonly string[],
): boolean {
  if (search.family !== null && search.family !== family) return false;
  const text = texts.join(" ").toLowerCase();
  const words = search.query.toLowerCase().split(/\s+/);
  return words.every((word) => text.includes(word));
}

export interface PageOfModels<Item> {
  readonly shown: readonly Item[];
  readonly page: number;
  readonly pages: number;
  readonly count: number;
}

/** One page; the last one for a number beyond it. */
export function pageOf<Item>(items: readonly Item[], wanted: number): PageOfModels<Item> {
  const pages = Math.max(1, Math.ceil(items.length / MODELS_PER_PAGE));
  const page = Math.min(wanted, pages);
  const from = (page - 1) * MODELS_PER_PAGE;
  return { shown: items.slice(from, from + MODELS_PER_PAGE), page, pages, count: items.length };
}
