/** The form of points, and of amounts of money, on the pages: text with up to six decimals. */
import { z } from "zod";
import { amountPattern } from "../money/points";
import { POINTS_LENGTH_MAX, POINTS_MAX } from "./limits";
import { wireForms } from "./wire-forms";

const text = z
  .string()
  .max(40)
  .regex(/^-?\d+\.\d{6}$/);
export const points = text.clone().register(wireForms, { kind: "points" });
/** An amount of a currency. */
export const money = text.clone().register(wireForms, { kind: "amount" });

const notNegative = z
  .string()
  .max(POINTS_LENGTH_MAX)
  .regex(amountPattern, "it must be points with up to six decimals, such as 12.5");
const bounds = { min: 0, max: POINTS_MAX };

/** Zero or more. */
export const pointsInput = notNegative.clone().register(wireForms, { kind: "points", ...bounds });
export const moneyInput = notNegative.clone().register(wireForms, { kind: "amount", ...bounds });
/** Points with a sign: a negative amount takes points away. */
export const pointsChange = z
  .string()
  .max(1 + POINTS_LENGTH_MAX)
  .regex(/^-?\d{1,9}(\.\d{1,6})?$/, "it must be points with up to six decimals, such as 12.5 or -3")
  .register(wireForms, { kind: "points", min: -POINTS_MAX, max: POINTS_MAX });
