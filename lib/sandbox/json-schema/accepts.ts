/** Whether a value satisfies schemas. Patterns and formats are not checked. */
import { isObject as hasMembers, listOf } from "../../values/records";
import type { Budget } from "./budget";
import {
  isObject,
  namedTypes,
  own,
  resolveReference,
  type SchemaObject,
  type Type,
} from "./schema";

const MEMBERS_MAX = 2_000;
/** Longer texts are never used. */
const TEXT_CHARACTERS_MAX = 64 * 1024;

export function isEqual(left: unknown, right: unknown): boolean {
  if (left === right) return true;
  if (!hasMembers(left) || !hasMembers(right)) return false;
  if (Array.isArray(left) !== Array.isArray(right)) return false;
  const names = Object.keys(left);
  if (names.length > MEMBERS_MAX || names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]));
}

function isOfType(value: unknown, type: Type): boolean {
  if (type === "array") return Array.isArray(value);
  if (type === "object") return isObject(value);
  if (type === "null") return value === null;
  if (type === "integer") return Number.isInteger(value);
  return typeof value === type;
}

/** A schema's bound on a size; infinite when it has none. */
function bound(schema: SchemaObject, keyword: string, otherwise: number): number {
  const value = schema[keyword];
  return typeof value === "number" ? value : otherwise;
}

const isWithin = (size: number, schema: SchemaObject, least: string, most: string): boolean =>
  size >= bound(schema, least, Number.NEGATIVE_INFINITY) &&
  size <= bound(schema, most, Number.POSITIVE_INFINITY);

function acceptsNumber(value: number, schema: SchemaObject): boolean {
  const { exclusiveMinimum: least, exclusiveMaximum: most, multipleOf } = schema;
  if (!isWithin(value, schema, "minimum", "maximum")) return false;
  if (typeof least === "number" ? value <= least : least === true && value === schema.minimum)
    return false;
  if (typeof most === "number" ? value >= most : most === true && value === schema.maximum)
    return false;
  return typeof multipleOf !== "number" || Number.isInteger(value / multipleOf);
}

function acceptsLength(value: string, schema: SchemaObject): boolean {
  if (value.length > TEXT_CHARACTERS_MAX) return false;
  const isBounded = schema.minLength !== undefined || schema.maxLength !== undefined;
  return !isBounded || isWithin([...value].length, schema, "minLength", "maxLength");
}

export class Acceptance {
  constructor(
    readonly root: unknown,
    readonly budget: Budget,
  ) {}

  all(value: unknown, schemas: readonly unknown[]): boolean {
    return schemas.every((schema) => this.one(value, schema));
  }

  one(value: unknown, schema: unknown): boolean {
    this.budget.step();
    if (!isObject(schema)) return schema !== false;
    return this.budget.nested(() => this.#holds(value, schema));
  }

  #holds(value: unknown, schema: SchemaObject): boolean {
    if (Object.hasOwn(schema, "const") && !isEqual(value, schema.const)) return false;
    if (Array.isArray(schema.enum) && !this.#isListed(value, schema.enum)) return false;
    const named = namedTypes(schema);
    if (named !== null && !named.some((type) => isOfType(value, type))) return false;
    if (typeof value === "number" && !acceptsNumber(value, schema)) return false;
    if (typeof value === "string" && !acceptsLength(value, schema)) return false;
    if (Array.isArray(value) && !this.#acceptsArray(value, schema)) return false;
    if (isObject(value) && !this.#acceptsObject(value, schema)) return false;
    return this.#branchesHold(value, schema);
  }

  #isListed(value: unknown, list: readonly unknown[]): boolean {
    return list.some((one) => {
      this.budget.step();
      return isEqual(value, one);
    });
  }

  #branchesHold(value: unknown, schema: SchemaObject): boolean {
    const { anyOf, oneOf, allOf, $ref, not } = schema;
    if (typeof $ref === "string" && !this.one(value, resolveReference(this.root, $ref)))
      return false;
    if (!this.all(value, listOf(allOf))) return false;
    if (listOf(anyOf).length > 0 && !listOf(anyOf).some((one) => this.one(value, one)))
      return false;
    if (
      listOf(oneOf).length > 0 &&
      listOf(oneOf).filter((one) => this.one(value, one)).length !== 1
    )
      return false;
    return not === undefined || !this.one(value, not);
  }

  #acceptsArray(value: readonly unknown[], schema: SchemaObject): boolean {
    if (!isWithin(value.length, schema, "minItems", "maxItems")) return false;
    const first = [...listOf(schema.prefixItems), ...listOf(schema.items)];
    const rest = Array.isArray(schema.items) ? schema.additionalItems : schema.items;
    return value.every((item, at) =>
      this.one(item, at < first.length ? first[at] : (rest ?? true)),
    );
  }

  #acceptsObject(value: SchemaObject, schema: SchemaObject): boolean {
    const names = Object.keys(value);
    if (!isWithin(names.length, schema, "minProperties", "maxProperties")) return false;
    const required = listOf(schema.required);
    this.budget.step(required.length);
    if (!required.every((name) => typeof name !== "string" || Object.hasOwn(value, name)))
      return false;
    const properties = isObject(schema.properties) ? schema.properties : {};
    // Which names a pattern matches is unknown here.
    const others =
      schema.patternProperties === undefined ? (schema.additionalProperties ?? true) : true;
    return names.every((name) => this.one(value[name], own(properties, name) ?? others));
  }
}
