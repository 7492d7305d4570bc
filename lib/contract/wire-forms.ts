/** How values that the pages send as texts are sent under `/v1`: as numbers. */
import { z } from "zod";

interface WireForm {
  /** A time is in epoch seconds. */
  readonly kind: "moment" | "points" | "amount";
  readonly min?: number;
  readonly max?: number;
}

/** A schema made from one that is here, by a further check, has its form too. */
export const wireForms = z.registry<WireForm>();

/** The name of a field under `/v1`, where the rule does not give it. */
export const wireNamed = z.registry<{ readonly name: string }>();

const LAST_SECOND = 253_402_300_799;
const FIRST_SECOND = -62_135_596_800;

export const epochSeconds: WireForm = { kind: "moment", min: FIRST_SECOND, max: LAST_SECOND };
