import { z } from "zod";

/** Accepts only values that change neither what is billed nor which model answers. */
export function neutral(allowed: readonly unknown[], code: "unsupported_value" | "n_not_supported", text: string) {
  return z
    .unknown()
    .superRefine((value, context) => {
      if (value === undefined || value === null) return;
      const isNeutral = allowed.some((candidate) => JSON.stringify(candidate) === JSON.stringify(value));
      if (!isNeutral) context.addIssue({ code: "custom", message: text, params: { code } });
    })
    .optional();
}
