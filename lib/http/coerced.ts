/** The value of a form's field, which is always sent as text. */
import { z } from "zod";

const literal = /^(?:true|false|null|-?(?:0|[1-9]\d{0,14})(?:\.\d{1,6})?)$/;

/** The text, unless the field's schema takes no text and the text is a number or a literal. */
export function coerced(schema: z.core.$ZodType | undefined, text: string): unknown {
  const isText =
    schema === undefined || !literal.test(text) || z.core.safeParse(schema, text).success;
  return isText ? text : JSON.parse(text);
}

/** The schema inside of one that may be absent or null. */
function present(schema: z.core.$ZodType | undefined): z.core.$ZodType | undefined {
  const isOptional = schema instanceof z.ZodOptional || schema instanceof z.ZodNullable;
  return isOptional ? present(schema.unwrap()) : schema;
}

/** The schema of a member of an object, or of the objects of a list; undefined where there is none. */
export function schemaOfMember(
  schema: z.core.$ZodType | undefined,
  member: string,
): z.core.$ZodType | undefined {
  const whole = present(schema);
  const object = whole instanceof z.ZodArray ? present(whole.element) : whole;
  return object instanceof z.ZodObject && Object.hasOwn(object.shape, member)
    ? object.shape[member]
    : undefined;
}
