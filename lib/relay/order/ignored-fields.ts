/**
 * The names of request fields that were ignored, reported to the client in a header: bounded, and
 * safe to put there.
 */
const NAMES_MAX = 20;
/** Names that are safe in a header. */
const plainName = /^[\w.-]{1,64}$/;

export class IgnoredFields {
  readonly #names = new Set<string>();
  #unnamed = 0;

  add(name: string): void {
    if (this.#names.has(name)) return;
    if (this.#names.size < NAMES_MAX && plainName.test(name)) this.#names.add(name);
    else this.#unnamed++;
  }

  /**
   * Sets the header, or removes one set before when nothing was ignored. `fieldNames`: what the
   * client's API calls a field that has another name there.
   */
  setHeader(
    headers: Record<string, string>,
    fieldNames: Readonly<Record<string, string>> = {},
  ): void {
    if (this.#names.size === 0 && this.#unnamed === 0) {
      if (headers["x-relay-ignored-fields"] !== undefined) delete headers["x-relay-ignored-fields"];
      return;
    }
    const more = this.#unnamed === 0 ? [] : [`+${this.#unnamed}`];
    const named = [...this.#names].map((name) =>
      Object.hasOwn(fieldNames, name) ? (fieldNames[name] ?? name) : name,
    );
    headers["x-relay-ignored-fields"] = [...new Set(named), ...more].join(", ");
  }
}

/** Tells the client which fields of `body` the request's schema does not know; replaces what was told before. */
export function setIgnoredFieldsHeader(
  body: object,
  known: object,
  headers: Record<string, string>,
): void {
  const ignored = Object.keys(body).filter(
    (name) => !Object.hasOwn(known, name) && plainName.test(name),
  );
  if (ignored.length > 0)
    headers["x-relay-ignored-fields"] = ignored.slice(0, NAMES_MAX).join(", ");
  else delete headers["x-relay-ignored-fields"];
}
