/**
 * The maxima that schemas share. Every schema that reads input has a maximum, and a test walks all
 * of them.
 */
import { z } from "zod";
import { MEDIA_BODY_MEBIBYTES_MAX } from "./limits";
import { epochSeconds, wireForms } from "./wire-forms";

/**
 * The longest text in an answer of the pages' API: the longest real one is a prompt of 20,000
 * characters.
 */
const MEBIBYTE = 1024 * 1024;
const ANSWER_TEXT_CHARACTERS_MAX = 65_536;
/** The most rows in an answer of the pages' API; lists are paged far below it. */
const ANSWER_ROWS_MAX = 10_000;
/** The most members of an object that may have members beyond its schema. */
const OPEN_MEMBERS_MAX = 128;

/** PostgreSQL has no year 0. */
const AFTER_YEAR_ZERO = /^(?!0000-)/;
const FIRST_YEAR = "the year must be 0001 or later";

/** A day as `YYYY-MM-DD`. */
export const day = z.iso
  .date("it must be a date, such as 2026-01-31")
  .regex(AFTER_YEAR_ZERO, FIRST_YEAR);
/** A date and time in UTC. */
export const moment = z.iso
  .datetime("it must be a time in UTC, such as 2026-01-31T12:00:00Z")
  .max(40)
  .regex(AFTER_YEAR_ZERO, FIRST_YEAR)
  .register(wireForms, epochSeconds);

/**
 * Stops parsing at the first error, since an issue for each error could be very many. It sets all
 * members that zod's own copy has; otherwise making that copy takes longer than parsing.
 */
export const FIRST_FAULT: z.core.ParseContextInternal<z.core.$ZodIssue> = {
  async: false,
  abortEarly: true,
};

/** An address of an image, or the image itself. */
export const imageText = z
  .string()
  .min(1)
  .max(MEDIA_BODY_MEBIBYTES_MAX * MEBIBYTE);
export const answerText = z.string().max(ANSWER_TEXT_CHARACTERS_MAX);

/** Of what has nothing else to say. */
export const done = z.object({ done: z.literal(true) });

export const answerRows = <Row extends z.ZodType>(row: Row) => z.array(row).max(ANSWER_ROWS_MAX);

/** Counts no further than it has to. */
function hasMoreMembers(value: object, membersMax: number): boolean {
  let members = 0;
  for (const _ in value) if (++members > membersMax) return true;
  return false;
}

const membersAtMost = (membersMax: number) => (payload: z.core.ParsePayload<object>) => {
  if (!hasMoreMembers(payload.value, membersMax)) return;
  payload.issues.push({
    code: "custom",
    message: `it must have at most ${membersMax} members`,
    input: payload.value,
  });
};

/** An object that may have members beyond its schema, up to `membersMax` in all. */
export const openObject = <Shape extends z.core.$ZodLooseShape>(
  shape: Shape,
  membersMax = OPEN_MEMBERS_MAX,
) => z.looseObject(shape).check(membersAtMost(membersMax)).meta({ maxProperties: membersMax });

/**
 * An object of arbitrary names. A `z.record` has no maximum and reads every member of its input.
 */
export const recordOf = <Value extends z.ZodType>(
  value: Value,
  membersMax = OPEN_MEMBERS_MAX,
  nameCharactersMax = 200,
) =>
  z
    .object({})
    .catchall(value)
    .check(membersAtMost(membersMax), ({ value: read, issues }) => {
      const long = Object.keys(read).find((name) => name.length > nameCharactersMax);
      if (long === undefined) return;
      issues.push({
        code: "custom",
        message: `a name must have at most ${nameCharactersMax} characters`,
        input: read,
      });
    })
    .meta({ maxProperties: membersMax });
