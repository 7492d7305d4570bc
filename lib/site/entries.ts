import type { z } from "zod";
import type { entriesQuery } from "../contract/site";
import type { Call } from "./call";

export async function listEntries({ parts, query, user }: Call<unknown, z.output<typeof entriesQuery>>) {
  const page = await parts.history.entries(user().accountId, { cursor: query.cursor ?? null, kind: query.kind });
  return { entries: [], nextCursor: page.nextCursor };
}
