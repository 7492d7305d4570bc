/** Checks of objects that narrow their types, so that no place has to assert them. */

/** Whether it is an object or an array: its members can be read by name. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether it is an object as in JSON: no array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value);

/** The entries of an array; none of any other value. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** Whether `name` is one of the names of a table. Inherited names do not count. */
export const isKeyOf = <Table extends object>(
  table: Table,
  name: PropertyKey,
): name is keyof Table => Object.hasOwn(table, name);

/** The names of a table that has none but those of its type. */
export const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];

/** Some of the members; undefined counts as absent. */
export type OptionalMembers<Members> = {
  readonly [Name in keyof Members]?: Members[Name] | undefined;
};

/** Any value but undefined. */
type Defined = NonNullable<unknown> | null;

type Defining<Members> = { [Name in keyof Members]?: Members[Name] & Defined };

/** The members that are not undefined, for a callee that distinguishes undefined from absent. */
export function withoutUndefined<Members extends object>(members: Members): Defining<Members> {
  const given: Defining<Members> = {};
  for (const name in members) {
    const value = members[name];
    if (value !== undefined) given[name] = value;
  }
  return given;
}
