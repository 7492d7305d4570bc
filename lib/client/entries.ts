import type { z } from "zod";
import { type entriesQuery, entryEndpoints } from "../contract/entries";
import { call } from "./call";
import { usePages } from "./pages";

export type EntryKind = z.infer<typeof entriesQuery>["kind"];

/** The account's history, newest first, one page at a time; null for none of it. */
export const useEntries = (kind: EntryKind | null) =>
  usePages(
    ["entries", kind],
    kind &&
      (({ cursor, signal }) =>
        call(entryEndpoints.listEntries, { query: { kind, cursor }, signal })),
  );
