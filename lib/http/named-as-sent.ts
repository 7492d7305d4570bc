import { type RelayError, reworded } from "../failures/relay-error";

/** The same error, with the names that the fields have here. */
export function namedAsSent(
  error: RelayError,
  nameOf: (field: string) => string | undefined,
): RelayError {
  const named = (text: string) => text.replace(/[A-Za-z]\w*/g, (word) => nameOf(word) ?? word);
  const param = error.param === null ? null : named(error.param);
  const message = error.message.replace(/`[^`]*`/g, named);
  if (param === error.param && message === error.message) return error;
  return reworded(error, { message, param });
}
