/** Which calls a bill has, kept with it as eight bytes for each, so that another bill of the same call is found. */
import { hash } from "node:crypto";
import type { BillLine } from "./bill-line";

const BYTES_EACH = 8;

const markOf = (ref: string) => hash("sha256", ref.toLowerCase(), "buffer").readBigUInt64BE(0);

/** The calls of lines that name one, each once. */
export function refsOf(lines: readonly BillLine[]): Buffer {
  const marks = new Set(lines.flatMap(({ ref }) => (ref === null ? [] : [markOf(ref)])));
  const refs = Buffer.alloc(marks.size * BYTES_EACH);
  let at = 0;
  for (const mark of marks) at = refs.writeBigUInt64BE(mark, at);
  return refs;
}

const marksIn = (refs: Buffer) =>
  Array.from({ length: refs.length / BYTES_EACH }, (_, at) =>
    refs.readBigUInt64BE(at * BYTES_EACH),
  );

export interface EarlierBill {
  readonly id: string;
  /** Of the file. */
  readonly name: string;
  readonly refs: Buffer;
}

/**
 * Of the earlier bills: those of which a file of the same name with all their calls is a later cut; and
 * whether one of the others has a call.
 */
export function besides(
  { name, refs }: Omit<EarlierBill, "id">,
  earlier: readonly EarlierBill[],
): { readonly replaced: string[]; readonly isElsewhere: (ref: string) => boolean } {
  const own = new Set(marksIn(refs));
  const isCutOf = (bill: EarlierBill) =>
    bill.name === name && marksIn(bill.refs).every((mark) => own.has(mark));
  const [replaced, others]: [string[], EarlierBill[]] = [[], []];
  for (const bill of earlier) {
    if (isCutOf(bill)) replaced.push(bill.id);
    else others.push(bill);
  }
  const marks = new Set(others.flatMap((bill) => marksIn(bill.refs)));
  return { replaced, isElsewhere: (ref) => marks.size > 0 && marks.has(markOf(ref)) };
}
