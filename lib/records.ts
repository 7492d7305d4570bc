/** Checks of objects that narrow their types, so that no place has to assert them. */

/** Whether it is an object or an array: its members can be read by name. */
export const isObject = (value: unknown): value is Readonly<Record<PropertyKey, unknown>> =>
  typeof value === "object" && value !== null;

/** Whether it is an object as in JSON: no array. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  isObject(value) && !Array.isArray(value);

/** Whether `name` is one of the names of a table. Inherited names do not count. */
export const isKeyOf = <Table extends object>(
  table: Table,
  name: PropertyKey,
): name is keyof Table => Object.hasOwn(table, name);

/** The names of a table that has none but those of its type. */
export const keysOf = <Name extends string>(table: Readonly<Record<Name, unknown>>): Name[] =>
  Object.keys(table) as Name[];
