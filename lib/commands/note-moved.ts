import type pg from "pg";
import { recordAction } from "../accounts/actions";

interface Moved {
  /** Where it comes from. */
  readonly source: string;
  /** Users, keys, models and so on. */
  readonly what: string;
  readonly count: number;
  /** Decimal points, where they are worth something. */
  readonly points?: string | undefined;
}

/** Records what an import took over, in the transaction that did. */
export const noteMoved = (
  client: pg.ClientBase,
  actor: string,
  { source, what, count, points }: Moved,
): Promise<void> =>
  recordAction(client, actor, "import.run", source, {
    detail: { name: what, moved: count, ...(points !== undefined && { points }) },
  });
