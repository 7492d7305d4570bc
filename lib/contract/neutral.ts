import { z } from "zod";
import { isRecord } from "../values/records";

/** Compares two values, reading no more of the client's than the allowed one has. */
function isSame(allowed: unknown, value: unknown): boolean {
  if (Array.isArray(allowed) && Array.isArray(value)) {
    return allowed.length === value.length && allowed.every((item, at) => isSame(item, value[at]));
  }
  if (!isRecord(allowed) || !isRecord(value)) return allowed === value;
  const members = Object.entries(allowed);
  let left = members.length;
  for (const _ in value) if (--left < 0) return false;
  return (
    left === 0 &&
    members.every(([name, member]) => Object.hasOwn(value, name) && isSame(member, value[name]))
  );
}

/** The values that each neutral field allows besides absence and null. */
export const allowedValues = z.registry<{ allowed: readonly unknown[] }>();

/**
 * Accepts only values that change neither the charge nor the model. `text` is the error of another
 * value; `description` is the field's sentence in the reference.
 */
export function neutral(
  allowed: readonly unknown[],
  code: "unsupported_value" | "n_not_supported",
  text: string,
  description: string,
) {
  const schema = z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined || value === null) return;
      if (!allowed.some((candidate) => isSame(candidate, value)))
        context.addIssue({ code: "custom", message: text, params: { code } });
    })
    .optional()
    .meta({ enum: [...allowed, null], description });
  allowedValues.add(schema, { allowed });
  return schema;
}

export const unsupportedField = neutral(
  [],
  "unsupported_value",
  "it is not supported; omit it",
  "Not supported; omit it",
);
