/**
 * Generates a document that a JSON Schema allows: always the same one for the same schema, within
 * fixed bounds of work.
 */
import { listOf } from "../../values/records";
import { Acceptance, isEqual } from "./accepts";
import { type Budget, Impossible, impossible, TooLarge } from "./budget";
import { listedValue, suggestedValue } from "./given-values";
import { Heights } from "./height";
import { itemSchemas, memberNames, memberSchemas } from "./members";
import { makeNumber } from "./number";
import { allowedTypes, expand, isObject, type SchemaObject, strictest, type Type } from "./schema";
import { makeText } from "./text";

/** How many levels of objects and arrays are filled beyond what the schema requires. */
const ROOM = 8;
const VARIANTS_TRIED = 20;

/** The position at which a value is generated. */
interface Place {
  /** The number of levels that may be filled with optional values. */
  readonly room: number;
  readonly name: string;
  /** A different number gives a different value, if the schema allows one. */
  readonly variant: number;
  /** The targets of the references that were followed to this position. */
  readonly open: ReadonlySet<object>;
}

class DocumentMaker {
  readonly #heights: Heights;
  readonly #acceptance: Acceptance;

  readonly #budget: Budget;

  constructor(
    readonly root: unknown,
    budget: Budget,
  ) {
    this.#budget = budget;
    this.#heights = new Heights(root, budget);
    this.#acceptance = new Acceptance(root, budget);
  }

  make(schemas: readonly unknown[], place: Place): unknown {
    this.#budget.value();
    return this.#budget.nested(() => {
      const expanded = expand(schemas, this.root, this.#budget);
      // A schema that contains itself is filled only as far as it must be.
      const isAgain = expanded.targets.some((target) => place.open.has(target));
      const open =
        expanded.targets.length === 0 ? place.open : new Set([...place.open, ...expanded.targets]);
      const here = { ...place, open, room: isAgain ? 0 : place.room };
      const given =
        here.variant > 0 ? undefined : suggestedValue(expanded.parts, schemas, this.#acceptance);
      return given === undefined
        ? this.#choose(expanded.parts, expanded.groups, schemas, here)
        : this.#counted(given);
    });
  }

  #counted(value: unknown): unknown {
    this.#budget.characters(JSON.stringify(value).length);
    return value;
  }

  /** Chooses one branch of each group, one group after the other. */
  #choose(
    parts: readonly SchemaObject[],
    groups: readonly (readonly unknown[])[],
    schemas: readonly unknown[],
    place: Place,
  ): unknown {
    this.#budget.step(parts.length + groups.length);
    const [group, ...others] = groups;
    if (group === undefined) return this.#plain(parts, schemas, place);
    let fallback: { readonly value: unknown } | null = null;
    for (const branch of this.#ordered(group, place.room)) {
      try {
        const more = expand([branch], this.root, this.#budget);
        const open = new Set([...place.open, ...more.targets]);
        const room = more.targets.some((target) => place.open.has(target)) ? 0 : place.room;
        const next = { ...place, open, room };
        const value = this.#budget.nested(() =>
          this.#choose([...parts, ...more.parts], [...more.groups, ...others], schemas, next),
        );
        if (this.#acceptance.all(value, schemas)) return value;
        fallback ??= { value };
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    if (fallback === null) throw impossible;
    return fallback.value;
  }

  /**
   * The branches that fit into the room first, in their order; then the others, the lowest first.
   */
  #ordered(group: readonly unknown[], room: number): readonly unknown[] {
    this.#budget.step(group.length);
    const measured = group.map((branch) => ({ branch, height: this.#heights.of([branch]) }));
    const rank = ({ height }: { height: number }) => (height <= room ? 0 : height);
    return measured.toSorted((a, b) => rank(a) - rank(b)).map(({ branch }) => branch);
  }

  #plain(parts: readonly SchemaObject[], schemas: readonly unknown[], place: Place): unknown {
    const listed = listedValue(parts, schemas, place.variant, this.#acceptance);
    if (listed !== null) return this.#counted(listed.value);
    const types = allowedTypes(parts);
    const isHigh = place.room < 1 && types.length > 1;
    const ordered = isHigh
      ? types.toSorted((a, b) => Number(isNested(a)) - Number(isNested(b)))
      : types;
    for (const type of ordered) {
      try {
        return this.#ofType(type, parts, place);
      } catch (error) {
        if (!(error instanceof Impossible)) throw error;
      }
    }
    throw impossible;
  }

  #ofType(type: Type, parts: readonly SchemaObject[], place: Place): unknown {
    this.#budget.characters(4);
    if (type === "object") return this.#object(parts, place);
    if (type === "array") return this.#array(parts, place);
    if (type === "null") return null;
    if (type === "boolean") return place.variant % 2 === 0;
    if (type === "string") return makeText(parts, place.name, place.variant, this.#budget);
    return makeNumber(parts, type === "integer", place.variant);
  }

  #isWanted(schemas: readonly unknown[], place: Place): boolean {
    return place.room > 0 && this.#budget.allowsOptional && this.#heights.of(schemas) < place.room;
  }

  #object(parts: readonly SchemaObject[], place: Place): unknown {
    const least = strictest(parts, "minProperties", Math.max) ?? 0;
    const { names, required } = memberNames(
      parts,
      least > 0 || (place.room > 0 && this.#budget.allowsOptional),
      this.#budget,
    );
    const most = strictest(parts, "maxProperties", Math.min) ?? Number.POSITIVE_INFINITY;
    // Without a prototype, `__proto__` is an ordinary member.
    const made: Record<string, unknown> = Object.create(null);
    let count = 0;
    let needed = required.size;
    const add = (name: string, schemas: readonly unknown[]) => {
      this.#budget.characters(name.length + 4);
      made[name] = this.make(schemas, { ...place, name, room: place.room - 1 });
      count++;
      if (required.has(name)) needed--;
    };
    for (const name of names) {
      this.#budget.step(parts.length);
      const schemas = memberSchemas(parts, name);
      const isOptional = !required.has(name);
      const hasRoom =
        count + needed < most && (count + needed < least || this.#isWanted(schemas, place));
      if (isOptional && (!hasRoom || schemas.includes(false))) continue;
      add(name, schemas);
    }
    const wanted = Math.max(least, names.size === 0 && most > 0 ? 1 : 0);
    this.#addOthers(
      parts,
      { count: () => count, least: wanted, isNeeded: () => count < least, made, add },
      place,
    );
    return made;
  }

  /** Adds members that no schema names, such as those of a record. */
  #addOthers(parts: readonly SchemaObject[], object: OpenObject, place: Place): void {
    const rules = parts
      .map(({ propertyNames }) => propertyNames)
      .filter((rule) => rule !== undefined);
    for (let variant = 0; object.count() < object.least; variant++) {
      const name =
        rules.length === 0
          ? `sandbox${variant || ""}`
          : this.make(rules, { ...place, name: "", variant });
      const isNew = typeof name === "string" && !Object.hasOwn(object.made, name);
      const schemas = typeof name === "string" ? memberSchemas(parts, name) : [];
      const isTyped = parts.some(({ additionalProperties }) => isObject(additionalProperties));
      if (
        !object.isNeeded() &&
        (!isTyped || schemas.includes(false) || !this.#isWanted(schemas, place))
      )
        return;
      if (schemas.includes(false)) throw impossible;
      if (isNew) object.add(name, schemas);
      else if (variant > object.least + VARIANTS_TRIED) throw impossible;
    }
  }

  #array(parts: readonly SchemaObject[], place: Place): unknown {
    const least = strictest(parts, "minItems", Math.max) ?? 0;
    const most = strictest(parts, "maxItems", Math.min) ?? Number.POSITIVE_INFINITY;
    if (least > most) throw impossible;
    this.#budget.step(least);
    const firstMost = Math.max(
      0,
      ...parts.map((part) => Math.max(listOf(part.prefixItems).length, listOf(part.items).length)),
    );
    const wanted = Math.min(most, Math.max(least, firstMost, 1));
    const isUnique = parts.some(({ uniqueItems }) => uniqueItems === true);
    const items: unknown[] = [];
    while (items.length < wanted) {
      this.#budget.step();
      const schemas = itemSchemas(parts, items.length);
      const isRequired = items.length < least;
      if (!isRequired && (schemas.includes(false) || !this.#isWanted(schemas, place))) break;
      const item = this.#item(schemas, isUnique ? items : [], {
        ...place,
        room: place.room - 1,
        variant: place.variant + items.length,
      });
      if (item !== null) items.push(item.value);
      else if (isRequired) throw impossible;
      else break;
    }
    return items;
  }

  /** An item that differs from all `others`; null when none was found. */
  #item(
    schemas: readonly unknown[],
    others: readonly unknown[],
    place: Place,
  ): { readonly value: unknown } | null {
    for (let more = 0; more < VARIANTS_TRIED; more++) {
      const value = this.make(schemas, { ...place, variant: place.variant + more });
      this.#budget.step(others.length);
      if (!others.some((other) => isEqual(other, value))) return { value };
    }
    return null;
  }

  rootPlace(): Place {
    return {
      room: ROOM,
      name: "",
      variant: 0,
      open: new Set(isObject(this.root) ? [this.root] : []),
    };
  }
}

interface OpenObject {
  readonly made: Record<string, unknown>;
  /** The minimum number of members. */
  readonly least: number;
  count(): number;
  /** True while the schema requires more members. */
  isNeeded(): boolean;
  add(name: string, schemas: readonly unknown[]): void;
}

const isNested = (type: Type): boolean => type === "object" || type === "array";

/**
 * The text of a document that `schema` allows; null when it allows none, or none within the
 * request's budget.
 */
export function documentFor(schema: unknown, budget: Budget): string | null {
  const maker = new DocumentMaker(schema, budget);
  try {
    return JSON.stringify(maker.make([schema], maker.rootPlace()));
  } catch (error) {
    // A value from the schema itself, such as a default, may be nested too deep to be walked.
    if (error instanceof Impossible || error instanceof TooLarge || error instanceof RangeError)
      return null;
    throw error;
  }
}
