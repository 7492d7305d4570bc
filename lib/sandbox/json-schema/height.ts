/**
 * Computes how many levels of objects and arrays a schema's smallest document has, so that a
 * recursion ends where it can.
 */
import { listOf } from "../../values/records";
import type { Budget } from "./budget";
import { isObject, namedTypes, own, resolveReference, type SchemaObject } from "./schema";

/** A schema that needs more levels than this counts as endless. */
const HEIGHT_MAX = 40;

interface Known {
  fits: number;
  fails: number;
}

export class Heights {
  readonly #known = new WeakMap<object, Known>();
  readonly #open = new Set<object>();
  /**
   * How often a schema was found inside itself. A result found on such a path is valid only there.
   */
  #cycles = 0;

  constructor(
    readonly root: unknown,
    readonly budget: Budget,
  ) {}

  /** The fewest levels that satisfy all of `schemas`; `HEIGHT_MAX + 1` when they are endless. */
  of(schemas: readonly unknown[]): number {
    let height = 0;
    for (const schema of schemas)
      while (height <= HEIGHT_MAX && !this.#fits(schema, height)) height++;
    return height;
  }

  #fits(schema: unknown, height: number): boolean {
    this.budget.step();
    if (schema === false || height < 0) return false;
    if (!isObject(schema)) return true;
    const known = this.#known.get(schema) ?? { fits: Number.POSITIVE_INFINITY, fails: -1 };
    if (height >= known.fits) return true;
    // A schema's smallest document never contains a document of the same schema.
    if (height <= known.fails) return false;
    if (this.#open.has(schema)) {
      this.#cycles++;
      return false;
    }
    const before = this.#cycles;
    this.#open.add(schema);
    const fits = this.budget.nested(() => this.#holds(schema, height));
    this.#open.delete(schema);
    if (fits) known.fits = height;
    else if (this.#open.size === 0 || this.#cycles === before) known.fails = height;
    this.#known.set(schema, known);
    return fits;
  }

  #holds(schema: SchemaObject, height: number): boolean {
    if (
      typeof schema.$ref === "string" &&
      !this.#fits(resolveReference(this.root, schema.$ref), height)
    )
      return false;
    if (!listOf(schema.allOf).every((one) => this.#fits(one, height))) return false;
    for (const group of [listOf(schema.anyOf), listOf(schema.oneOf)]) {
      if (group.length > 0 && !group.some((one) => this.#fits(one, height))) return false;
    }
    if (Object.hasOwn(schema, "const") || Array.isArray(schema.enum)) return true;
    const named = namedTypes(schema) ?? [];
    if (named.some((type) => type !== "object" && type !== "array")) return true;
    if (named.includes("array") && this.#itemsFit(schema, height - 1)) return true;
    return named.includes("object")
      ? this.#membersFit(schema, height - 1)
      : !named.includes("array");
  }

  #itemsFit(schema: SchemaObject, height: number): boolean {
    if (height < 0) return false;
    const count = typeof schema.minItems === "number" ? schema.minItems : 0;
    const first = [...listOf(schema.prefixItems), ...listOf(schema.items)].slice(
      0,
      Math.max(0, count),
    );
    if (!first.every((item) => this.#fits(item, height))) return false;
    return (
      count <= first.length ||
      Array.isArray(schema.items) ||
      this.#fits(schema.items ?? true, height)
    );
  }

  #membersFit(schema: SchemaObject, height: number): boolean {
    if (height < 0) return false;
    const properties = isObject(schema.properties) ? schema.properties : {};
    return listOf(schema.required).every(
      (name) => typeof name !== "string" || this.#fits(own(properties, name) ?? true, height),
    );
  }
}
