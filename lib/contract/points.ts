/** The wire format of points: text with six decimals. */
import { z } from "zod";
import { amountPattern } from "../points";
import { POINTS_LENGTH_MAX } from "./limits";

export const points = z
  .string()
  .max(40)
  .regex(/^-?\d+\.\d{6}$/);

/** Zero or more. */
export const pointsInput = z
  .string()
  .max(POINTS_LENGTH_MAX)
  .regex(amountPattern, "it must be points with up to six decimals, such as 12.5");
