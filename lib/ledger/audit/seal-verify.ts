/** Reads sealed periods again, piece by piece, each in a snapshot of its own. */
import type pg from "pg";
import { withMonthsKept } from "../../db/kept-months";
import { archiveRules } from "../archive/archive-register";
import { type ArchivedFiles, ArchiveFault, readStored } from "../archive/archived-piece";
import { type AuditCheck, inSnapshot, runRowRules, runRules } from "./audit";
import { BY_RANGES } from "./audit-connections";
import { auditDays } from "./audit-days";
import { lotRules } from "./audit-lots";
import { pieceScope, wholeScope } from "./audit-scope";
import { type PieceSum, piecesQuery, type StoredPiece, sumsOfPiece } from "./piece-reading";
import { accountRules, chainRules } from "./seal-chain";
import { DaySums, type Seal, sealsQuery, wrongAccounts } from "./seal-sums";

const AT_ONCE = 200;
const EXAMPLES = 5;

/** Collects what the pieces break; each rule is one line of the report, over all pieces. */
class Findings {
  readonly #details = new Map<string, string[]>();

  note(name: string, detail: string): void {
    const details = this.#details.get(name) ?? [];
    if (detail !== "" && details.length < EXAMPLES) details.push(detail);
    this.#details.set(name, details);
  }

  checks(): AuditCheck[] {
    return [...this.#details].map(([name, details]) => ({
      name,
      ok: details.length === 0,
      detail: details.join("; "),
    }));
  }
}

const PIECES = "every row of a piece is as it was when the piece was made";
const DAYS = "the sums of every sealed day are those of its requests and entries";

const noFiles: ArchivedFiles = {
  lines() {
    throw new ArchiveFault("its requests are in archived files, which were not read");
  },
};

async function readPiece(
  client: pg.ClientBase,
  files: ArchivedFiles,
  piece: StoredPiece,
  findings: Findings,
): Promise<PieceSum[]> {
  const place = `piece ${piece.number} (${piece.starts} to ${piece.below})`;
  // Before the snapshot, which must be short: what is in a piece never changes.
  const { fault, sums } = await readStored(client, files, piece);
  findings.note(PIECES, fault === null ? "" : `${place}: ${fault}`);
  return inSnapshot(client, async () => {
    await client.query(BY_RANGES);
    for (const { name, detail } of await runRowRules(client, pieceScope(piece)))
      findings.note(name, detail === "" ? "" : `${place}: ${detail}`);
    return [...(await sumsOfPiece(client, piece)), ...sums];
  });
}

interface Watch {
  /** Of dropped months. */
  readonly files?: ArchivedFiles | undefined;
  readonly signal?: AbortSignal | undefined;
  onPiece?(requests: number): void;
}

async function* pieces(client: pg.ClientBase, where: string): AsyncGenerator<StoredPiece> {
  for (let after = "0"; ; ) {
    const { rows } = await client.query<StoredPiece>(
      `${piecesQuery} where number > $1 and (${where}) order by number limit ${AT_ONCE}`,
      [after],
    );
    yield* rows;
    after = rows.at(-1)?.number ?? "";
    if (rows.length < AT_ONCE) return;
  }
}

async function compareDay(
  client: pg.ClientBase,
  seal: Seal,
  sums: DaySums,
  findings: Findings,
): Promise<void> {
  const wrong = await wrongAccounts(client, seal, sums.take(seal.day));
  findings.note(DAYS, wrong.length === 0 ? "" : `${seal.day}: ${wrong.join(", ")}`);
}

/** Every piece, every seal, the sums of every sealed day, and every lot. */
export async function verifySealed(
  client: pg.ClientBase,
  { files = noFiles, signal, onPiece }: Watch = {},
): Promise<AuditCheck[]> {
  const findings = new Findings();
  findings.note(PIECES, "");
  findings.note(DAYS, "");
  const { rows: seals } = await client.query<Seal>(`${sealsQuery} order by number`);
  const sums = new DaySums();
  let next = 0;
  for await (const piece of pieces(client, "true")) {
    if (signal?.aborted) break;
    for (
      let seal = seals[next];
      seal && BigInt(seal.piece) < BigInt(piece.number);
      seal = seals[++next]
    )
      await compareDay(client, seal, sums, findings);
    sums.add(await readPiece(client, files, piece, findings));
    onPiece?.(Number(piece.requests));
  }
  for (const seal of seals.slice(next)) await compareDay(client, seal, sums, findings);
  for (const { name, detail } of await auditDays(client, signal)) findings.note(name, detail);
  const rules = [...chainRules, ...archiveRules, ...accountRules("true"), ...lotRules(wholeScope)];
  return [...findings.checks(), ...(await inSnapshot(client, () => runRules(client, rules)))];
}

/** One sealed day; null when it is not sealed. */
export const verifyDay = (
  client: pg.ClientBase,
  day: string,
  { files = noFiles }: Pick<Watch, "files"> = {},
): Promise<AuditCheck[] | null> => withMonthsKept(client, () => readDay(client, day, files));

async function readDay(
  client: pg.ClientBase,
  day: string,
  files: ArchivedFiles,
): Promise<AuditCheck[] | null> {
  const { rows } = await client.query<Seal>(`select * from (${sealsQuery}) s where day = $1`, [
    day,
  ]);
  const seal = rows[0];
  if (seal === undefined) return null;
  const findings = new Findings();
  findings.note(PIECES, "");
  const sums = new DaySums();
  // A request that ended on the day may be in an earlier piece; one that came late, in a later one.
  const before = seal.day_before ?? "-infinity";
  const where = `number <= ${seal.piece} and (number > ${seal.piece_before} or (ended_from <= '${seal.day}' and ended_to > '${before}'))`;
  for await (const piece of pieces(client, where)) {
    const found = await readPiece(client, files, piece, findings);
    const isNew = BigInt(piece.number) > BigInt(seal.piece_before);
    sums.add(found.filter((sum) => isNew || seal.day_before === null || sum.day > seal.day_before));
  }
  await compareDay(client, seal, sums, findings);
  const rules = [...chainRules, ...accountRules(`s.day = date '${seal.day}'`)];
  return [...findings.checks(), ...(await inSnapshot(client, () => runRules(client, rules)))];
}
