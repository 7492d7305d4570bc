/** Reads the operations of the ledger and compares them with the book. */
import pg from "pg";
import { readBook } from "./book";
import { type Findings, type LedgerRow, Verdict } from "./verdict";

const ROWS = 20_000;

const query = `declare rows cursor for
  select encode(substring(request_sha256 from 1 for 8), 'hex') as sha, outcome, coalesce(amount, 0) as amount,
         hold_amount as hold, upstream_ref as ref,
         exists (select from operator_loss l where l.operation_id = r.id) as "hasLoss"
    from request_known r`;

interface Row extends Pick<LedgerRow, "sha" | "outcome" | "ref" | "hasLoss"> {
  readonly amount: string;
  readonly hold: string;
}

/** The rows of one snapshot, in pieces. */
async function* readRows(databaseUrl: string): AsyncGenerator<LedgerRow[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query("begin isolation level repeatable read read only");
    await client.query(query);
    for (;;) {
      const { rows } = await client.query<Row>(`fetch ${ROWS} from rows`);
      if (rows.length === 0) return;
      yield rows.map(({ amount, hold, ...row }) => ({
        ...row,
        amount: BigInt(amount),
        hold: BigInt(hold),
      }));
    }
  } finally {
    await client.end();
  }
}

/**
 * Compares the ledger with the book. While clients still order, what they were told is read before
 * the rows, and what was ordered and made is read after them. `missing`: the digests of what the
 * database is known to have lost, although clients have it.
 */
export async function compare(
  bookFile: string,
  databaseUrl: string,
  isOver: boolean,
  missing: ReadonlySet<string> = new Set(),
): Promise<Findings> {
  const before = isOver ? null : await readBook(bookFile);
  const rows: LedgerRow[][] = [];
  for await (const piece of readRows(databaseUrl)) rows.push(piece);
  const book = await readBook(bookFile);
  if (before !== null)
    for (const order of book.orders.values()) {
      const earlier = before.orders.get(order.id);
      order.whole = earlier?.whole ?? 0;
    }
  for (const sha of missing) {
    const order = book.bySha.get(sha);
    if (order !== undefined) order.isLost = true;
  }
  const verdict = new Verdict(book);
  for (const piece of rows) for (const row of piece) verdict.take(row);
  return verdict.end(isOver);
}
