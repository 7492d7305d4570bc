/** The shape of a JSON body while it is scanned: its values, its depth, the members of its objects. */
import { RelayError } from "../failures/relay-error";
import { JSON_DEPTH_MAX, refuseJson } from "./strict-json";

/** The most objects, arrays and values of a body: more than the longest conversation needs. */
export const JSON_VALUES_MAX = 25_000;
/** The most members of one object: everything that copies an object looks at each name. */
export const JSON_OBJECT_MEMBERS_MAX = 2_000;

/** Throws `invalid_json` or `body_too_large` at the part that exceeds a bound. */
export class JsonShape {
  /** Of all objects. */
  members = 0;
  /** True when the next string is the name of a member. */
  isName = false;
  #values = 1;
  #strings = 0;
  #depth = 0;
  /** The number of members of the object that is open at each depth; -1 for an array. */
  readonly #open = new Int32Array(JSON_DEPTH_MAX + 1).fill(-1);

  /** Each value has at most a name and itself, so more strings than that cannot be valid. */
  string(): void {
    if (++this.#strings > 2 * JSON_VALUES_MAX) this.#refuseValues();
  }

  comma(): void {
    this.#count();
    this.isName = (this.#open[this.#depth] as number) >= 0;
  }

  colon(): void {
    this.members++;
    this.isName = false;
    const members = this.#open[this.#depth] as number;
    if (members < 0) return;
    this.#open[this.#depth] = members + 1;
    if (members + 1 > JSON_OBJECT_MEMBERS_MAX)
      throw new RelayError("body_too_large", {
        message: `An object has more than ${JSON_OBJECT_MEMBERS_MAX} members.`,
      });
  }

  openObject(): void {
    this.#enter(0);
  }

  openArray(): void {
    this.#enter(-1);
  }

  close(): void {
    if (this.#depth > 0) this.#depth--;
  }

  #count(): void {
    if (++this.#values > JSON_VALUES_MAX) this.#refuseValues();
  }

  #refuseValues(): never {
    throw new RelayError("body_too_large", {
      message: `The request body has more than ${JSON_VALUES_MAX} values.`,
    });
  }

  #enter(members: 0 | -1): void {
    if (++this.#depth > JSON_DEPTH_MAX)
      refuseJson(`it is nested deeper than ${JSON_DEPTH_MAX} levels`);
    this.#count();
    this.#open[this.#depth] = members;
    this.isName = members === 0;
  }
}
