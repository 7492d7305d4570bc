/** Reads a model's file, and says what is wrong with the first field that is not right. */
import { type ModelFile, modelFile } from "../contract/model-file";
import { invalidValue } from "../failures/relay-error";
import { isRecord } from "../values/records";

const SHOWN_MAX = 60;

const pathOf = (path: readonly PropertyKey[]): string =>
  path.map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`)).join("");

function valueAt(content: unknown, path: readonly PropertyKey[]): unknown {
  let value = content;
  for (const part of path) {
    if (Array.isArray(value) && typeof part === "number") value = value[part];
    else if (isRecord(value)) value = value[String(part)];
    else return undefined;
  }
  return value;
}

/** Throws `invalid_value`. */
export function readModelFile(content: unknown): ModelFile {
  const read = modelFile.safeParse(content);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const path = issue?.path ?? [];
  const param = pathOf(path).replace(/^\./, "") || "model";
  const came = JSON.stringify(valueAt(content, path))?.slice(0, SHOWN_MAX) ?? "missing";
  throw invalidValue(
    param,
    `${param} is ${came}: ${issue?.message ?? "it is not a model's file"}.`,
  );
}
