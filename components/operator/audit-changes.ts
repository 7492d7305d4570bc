import type { ActionView } from "@/lib/contract/operator-actions";
import { isRecord } from "@/lib/values/records";

/** One field of an action, with its value before and after; undefined where it had none. */
export interface AuditChange {
  readonly field: string;
  /** The member of the field that changed, such as one model of a channel. */
  readonly member?: string;
  readonly before?: unknown;
  readonly after?: unknown;
}

const isNothing = (value: unknown): boolean =>
  value === null || value === undefined || (Array.isArray(value) && value.length === 0);

const isSame = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one ?? null) === JSON.stringify(other ?? null);

function changesBetween(before: unknown, after: unknown, field: string): AuditChange[] {
  if (!isRecord(before) || !isRecord(after)) return [{ field, before, after }];
  const members = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return members
    .filter((member) => !isSame(before[member], after[member]))
    .map((member) => ({ field, member, before: before[member], after: after[member] }));
}

/** Recorded as JSON: parts of a model's file. */
const jsonFields = ["spec", "names"];

function opened(side: ActionView["before"]): ActionView["before"] {
  if (side === null) return null;
  const parsed = (text: unknown): unknown => {
    try {
      return typeof text === "string" ? JSON.parse(text) : text;
    } catch {
      return text;
    }
  };
  return Object.fromEntries(
    Object.entries(side).map(([name, value]) => [
      name,
      jsonFields.includes(name) ? parsed(value) : value,
    ]),
  );
}

/**
 * The changed fields of an action, then the others that it recorded. What was made or removed shows
 * every field that had a value.
 */
export function changesOf({
  detail,
  ...sides
}: Pick<ActionView, "before" | "after" | "detail">): AuditChange[] {
  const [before, after] = [opened(sides.before), opened(sides.after)];
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])];
  const changed = fields.flatMap((field): AuditChange[] => {
    if (before === null || after === null) {
      const value = (after ?? before)?.[field];
      if (isNothing(value)) return [];
      return [before === null ? { field, after: value } : { field, before: value }];
    }
    if (isSame(before[field], after[field])) return [];
    return changesBetween(before[field], after[field], field);
  });
  const told = Object.entries(detail)
    .filter(([, value]) => !isNothing(value))
    .flatMap(([field, value]): AuditChange[] =>
      isRecord(value)
        ? Object.entries(value).map(([member, each]) => ({ field, member, after: each }))
        : [{ field, after: value }],
    );
  return [...changed, ...told];
}
