/** The value of a form's field, which is always sent as text. */
import { z } from "zod";

const literal = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?)$/;

/** The text, unless the field's schema takes no text and the text is a number or a literal. */
export function coerced(schema: z.core.$ZodType | undefined, text: string): unknown {
  const isText =
    schema === undefined || !literal.test(text) || z.core.safeParse(schema, text).success;
  return isText ? text : JSON.parse(text);
}
