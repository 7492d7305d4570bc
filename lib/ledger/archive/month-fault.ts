/** Reads a month again before it is archived. */
import type pg from "pg";
import { piecesQuery, type StoredPiece } from "../audit/piece-reading";
import { verifyDay } from "../audit/seal-verify";
import type { Month } from "./archive-register";
import { type ArchivedFiles, readStored } from "./archived-piece";

/**
 * What is wrong with the rows of a month, by the hashes of its pieces and the sums of its sealed days;
 * null when nothing is.
 */
export async function faultOfMonth(
  client: pg.ClientBase,
  files: ArchivedFiles,
  month: Month,
): Promise<string | null> {
  const { rows: pieces } = await client.query<StoredPiece>(
    `${piecesQuery} where starts < $2 and below > $1 or number in (
       select piece from ledger_apart where operation_id >= $1 and operation_id < $2) order by number`,
    [month.starts, month.below],
  );
  for (const piece of pieces) {
    const { fault } = await readStored(client, files, piece);
    if (fault !== null) return `piece ${piece.number}: ${fault}`;
  }
  const { rows: days } = await client.query<{ day: string }>(
    "select day::text from ledger_seal where day >= $1::date and day < $1::date + interval '1 month' order by day",
    [month.day],
  );
  for (const { day } of days) {
    const broken = (await verifyDay(client, day, { files }))?.find(({ ok }) => !ok);
    if (broken) return `${day}: ${broken.name}: ${broken.detail}`;
  }
  return null;
}
