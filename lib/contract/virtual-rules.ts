/**
 * How an operator writes virtual models: lines of text, one a line, such as
 * `relay/best: context>=32000 output_price<=40 order=cheapest`, or `relay/film: family=video price<=9`.
 */
import { choiceOrders, modelNeeds, type VirtualModel } from "../catalog/virtual-models";
import { FALLBACK_MODELS_MAX, VIRTUAL_MODELS_MAX } from "./limits";
import { families } from "./states";

const TRIED_DEFAULT = 4;
const NAME_LENGTH_MAX = 64;

type Rules = Omit<VirtualModel, "name">;

const isWordOf = <Word extends string>(words: readonly Word[], text: string): text is Word =>
  words.some((word) => word === text);

/** Null for what is no such number. */
const countOf = (text: string, max: number): number | null =>
  /^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max ? Number(text) : null;
const priceOf = (text: string): number | null =>
  /^\d{1,6}(\.\d{1,6})?$/.test(text) ? Number(text) : null;

const isPattern = (text: string) => /^[\w.:/-]{1,64}\*?$|^\*$/.test(text);

const TOKENS_MAX = 999_999_999;

/** What a rule with a value sets; null where it is no such value. */
const rules: Readonly<Record<string, (value: string) => Partial<Rules> | null>> = {
  "family=": (family) => (isWordOf(families, family) ? { family } : null),
  "models=": (value) => {
    const models = value.split(",");
    return models.every(isPattern) ? { models } : null;
  },
  "context>=": (value) => {
    const contextMin = countOf(value, TOKENS_MAX);
    return contextMin === null ? null : { contextMin };
  },
  "output>=": (value) => {
    const outputMin = countOf(value, TOKENS_MAX);
    return outputMin === null ? null : { outputMin };
  },
  "input_price<=": (value) => {
    const inputPriceMax = priceOf(value);
    return inputPriceMax === null ? null : { inputPriceMax };
  },
  "output_price<=": (value) => {
    const outputPriceMax = priceOf(value);
    return outputPriceMax === null ? null : { outputPriceMax };
  },
  "price<=": (value) => {
    const priceMax = priceOf(value);
    return priceMax === null ? null : { priceMax };
  },
  "order=": (order) => (isWordOf(choiceOrders, order) ? { order } : null),
  "tried=": (value) => {
    const tried = countOf(value, FALLBACK_MODELS_MAX);
    return tried === null ? null : { tried };
  },
};

const allowed = `a rule is one of family=${families.join("|")}, models=A,B*, price<=N, context>=N, output>=N, input_price<=N, output_price<=N, tools, images, reasoning, order=${choiceOrders.join("|")}, tried=1 to ${FALLBACK_MODELS_MAX}`;

/** The rules with one more, or what is wrong with it. */
function withRule(known: Rules, word: string): Rules | string {
  if (isWordOf(modelNeeds, word)) return { ...known, needs: [...known.needs, word] };
  const sign = /^[a-z_]+(>=|<=|=)/.exec(word)?.[0] ?? "";
  const read = Object.hasOwn(rules, sign) ? rules[sign]?.(word.slice(sign.length)) : null;
  if (read) return { ...known, ...read };
  return `${JSON.stringify(word.slice(0, 60))} is no rule: ${allowed}`;
}

const noRules: Rules = {
  family: "text",
  models: [],
  contextMin: 0,
  outputMin: 0,
  inputPriceMax: null,
  outputPriceMax: null,
  priceMax: null,
  needs: [],
  order: "cheapest",
  tried: TRIED_DEFAULT,
};

/** Whether a rule asks for what only texts have. */
const isOfText = ({ contextMin, outputMin, needs, inputPriceMax, outputPriceMax }: Rules) =>
  contextMin + outputMin + needs.length > 0 || (inputPriceMax ?? outputPriceMax) !== null;

/** A text: what is wrong. */
function readLine(line: string): VirtualModel | string {
  const [, name = "", text = ""] = /^([a-z0-9][a-z0-9._-]*\/[a-z0-9._/-]*):(.*)$/.exec(line) ?? [];
  if (name === "" || name.length > NAME_LENGTH_MAX)
    return `${JSON.stringify(line.slice(0, 60))} does not begin with a name such as relay/best: (small letters, with a slash, at most ${NAME_LENGTH_MAX})`;
  let known = noRules;
  for (const word of text.trim().split(/\s+/).filter(Boolean)) {
    const read = withRule(known, word);
    if (typeof read === "string") return `${name}: ${read}`;
    known = read;
  }
  if (known.family !== "text" && isOfText(known))
    return `${name}: with family=${known.family} the rules are models=, price<=, order= and tried=`;
  return { name, ...known };
}

/** The virtual models of a text, or what is wrong with it. Empty lines and those with `#` are skipped. */
export function readVirtualModels(text: string): readonly VirtualModel[] | string {
  const found: VirtualModel[] = [];
  for (const line of text.split("\n").map((each) => each.trim())) {
    if (line === "" || line.startsWith("#")) continue;
    const read = readLine(line);
    if (typeof read === "string") return read;
    if (found.some(({ name }) => name === read.name)) return `${read.name} is there twice`;
    found.push(read);
  }
  for (const { name, models } of found) {
    const virtual = models.find((each) => found.some((other) => other.name === each));
    if (virtual !== undefined) return `${name}: ${virtual} is a virtual model, too: name real ones`;
  }
  if (found.length > VIRTUAL_MODELS_MAX)
    return `there are ${found.length} models, and at most ${VIRTUAL_MODELS_MAX} are allowed`;
  return found;
}
