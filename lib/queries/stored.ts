/** The type of what a query reads, from that of the view that shows it. */
import type { Micropoints } from "../money/points";

type Kept<Value, As> = null extends Value ? As | null : As;

/** A view whose members `Points` are micropoints, and whose members `Times` are dates. */
export type Stored<View, Points extends keyof View, Times extends keyof View> = {
  readonly [Name in keyof View]: Name extends Points
    ? Kept<View[Name], Micropoints>
    : Name extends Times
      ? Kept<View[Name], Date>
      : View[Name];
};
