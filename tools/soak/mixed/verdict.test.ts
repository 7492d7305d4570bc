/** The verdict finds what a ledger could lose, double or invent. */
import { appendFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { newFolder } from "@/testing/unit/new-folder";
import { type BookLine, readBook, writeBook } from "./book";
import { type Breach, type LedgerRow, Verdict } from "./verdict";

const sha = (id: number) => String(id).padStart(16, "0");
const ordered = (id: number, family: "text" | "image" | "video", isKeyed = false): BookLine => ({
  line: "order",
  id,
  sha: sha(id),
  family,
  isKeyed,
  price: family === "image" ? 1_249_280 : 0,
});
const made = (ref: string, id: number, price: number): BookLine => ({
  line: "made",
  ref,
  id,
  price,
});
const told = (
  id: number,
  what: "whole" | "refused" | "failed" | "cut" | "left",
  ref: string | null = null,
): BookLine => ({ line: "told", id, what, ref });
const row = (
  id: number,
  outcome: LedgerRow["outcome"],
  amount = 0n,
  ref: string | null = null,
  hasLoss = false,
): LedgerRow => ({ sha: sha(id), outcome, amount, hold: 10_000_000n, ref, hasLoss });

/**
 * A run without any fault: whole answers, a refusal, a client that left, a retry, and a video whose
 * task continues after the call that waited for it.
 */
const lines: readonly BookLine[] = [
  ordered(1, "text"),
  made("text-1", 1, 880),
  told(1, "whole", "text-1"),
  ordered(2, "text"),
  told(2, "refused", "upstream_failed"),
  ordered(3, "text"),
  made("text-2", 3, 880),
  told(3, "left"),
  ordered(4, "image"),
  made("image-1", 4, 0),
  told(4, "whole"),
  ordered(5, "video"),
  { line: "sent", id: 5 },
  made("video-1", 5, 640_000),
  told(5, "whole"),
  ordered(6, "text", true),
  made("text-3", 6, 1680),
  told(6, "cut"),
  told(6, "whole", "text-3"),
  ordered(7, "text"),
  made("text-7", 7, 0),
  told(7, "whole", "text-7"),
  ordered(8, "video"),
  { line: "sent", id: 8 },
  told(8, "refused", "task_still_running"),
  made("video-8", 8, 640_000),
  { line: "fault", name: "server killed", second: 9, kills: 1, stops: 0 },
];
const rows: readonly LedgerRow[] = [
  row(1, "settled", 880n, "text-1"),
  row(2, "released"),
  row(3, "settled", 880n, "text-2"),
  row(4, "settled", 1_249_280n),
  row(5, "settled", 640_000n, "video-1"),
  row(6, "released"),
  row(6, "settled", 1680n, "text-3"),
  row(7, "released", 0n, "text-7", true),
  row(8, "settled", 640_000n, "video-8"),
];

async function judge(
  bookLines: readonly BookLine[],
  ledgerRows: readonly LedgerRow[],
  isOver = true,
  lost: readonly number[] = [],
) {
  const file = join(newFolder("book"), "book.jsonl");
  const book = writeBook(file);
  for (const line of bookLines) book.note(line);
  book.close();
  const read = await readBook(file);
  for (const id of lost) Object.assign(read.orders.get(id) ?? {}, { isLost: true });
  const verdict = new Verdict(read);
  for (const each of ledgerRows) verdict.take(each);
  const { counts, ...rest } = verdict.end(isOver);
  const found = Object.entries(counts).filter(([, count]) => count > 0);
  return { ...rest, found: Object.fromEntries(found) };
}

test("a run without a fault passes, and its charges are added up", async () => {
  expect(await judge(lines, rows)).toMatchObject({
    found: {},
    operations: 9,
    settled: 6,
    released: 3,
    charged: 880n + 880n + 1_249_280n + 640_000n + 1680n + 640_000n,
  });
});

test("what a database is known to have lost may be uncharged, or charged when it was sent again", async () => {
  expect(await judge(lines, without(1, "settled"), true, [1])).toMatchObject({ found: {} });
  const again = [
    ordered(9, "text", true),
    made("text-9", 9, 880),
    told(9, "refused", "database_unavailable"),
    made("text-10", 9, 880),
    told(9, "whole", "text-10"),
  ];
  const charged = [...rows, row(9, "settled", 880n, "text-10")];
  expect(await judge([...lines, ...again], charged, true, [9])).toMatchObject({ found: {} });
});

test("an order that was refused, sent again and cut off may be charged", async () => {
  const again = [
    ordered(9, "text", true),
    told(9, "refused", "database_unavailable"),
    made("text-9", 9, 880),
    told(9, "cut"),
  ];
  const charged = [...rows, row(9, "settled", 880n, "text-9")];
  expect(await judge([...lines, ...again], charged, true)).toMatchObject({ found: {} });
});

const without = (id: number, outcome: LedgerRow["outcome"]) =>
  rows.filter((each) => each.sha !== sha(id) || each.outcome !== outcome);
const cases: readonly [name: string, Breach, readonly BookLine[], readonly LedgerRow[]][] = [
  ["a settlement is lost", "lost", lines, without(1, "settled")],
  [
    "a settlement is lost, and its hold was released",
    "lost",
    lines,
    [...without(1, "settled"), row(1, "released")],
  ],
  [
    "an answer without usage left no loss",
    "unnoted",
    lines,
    [...without(7, "released"), row(7, "released", 0n, "text-7")],
  ],
  ["an order is charged twice", "double", lines, [...rows, row(1, "settled", 880n, "text-1")]],
  ["an image is charged twice", "double", lines, [...rows, row(4, "settled", 1_249_280n)]],
  [
    "a charge is too high",
    "wrong",
    lines,
    [...without(1, "settled"), row(1, "settled", 881n, "text-1")],
  ],
  ["an image is too cheap", "wrong", lines, [...without(4, "settled"), row(4, "settled", 1n)]],
  [
    "an answer is charged that was never made",
    "unmade",
    lines,
    [...without(3, "settled"), row(3, "settled", 880n, "text-99")],
  ],
  [
    "an answer is charged to another order",
    "unmade",
    lines,
    [...without(3, "settled"), row(3, "settled", 1680n, "text-3")],
  ],
  [
    "an answer without usage is charged",
    "unmade",
    lines.map((line) => (line.line === "made" && line.id === 3 ? { ...line, price: 0 } : line)),
    rows,
  ],
  [
    "a refused order is charged",
    "refused",
    [...lines, made("text-9", 2, 5)],
    [...rows, row(2, "settled", 5n, "text-9")],
  ],
  [
    "a failed video is charged",
    "refused",
    lines.map((line) =>
      line.line === "told" && line.id === 5 ? { ...line, what: "failed" } : line,
    ),
    rows,
  ],
  ["a video is made twice", "resent", [...lines, { line: "sent", id: 5 }], rows],
  ["nobody ordered it", "strange", lines, [...rows, row(99, "released")]],
  ["a key has two answers", "unlike", [...lines, told(6, "whole", "text-4")], rows],
  ["an operation stays open", "open", lines, [...rows, row(2, null)]],
];

test.each(cases)("the verdict finds that %s", async (_, breach, bookLines, ledgerRows) => {
  expect((await judge(bookLines, ledgerRows)).found).toMatchObject({ [breach]: 1 });
});

test("while clients still order, an open operation is no loss", async () => {
  const running = [...without(1, "settled"), row(1, null)];
  expect(await judge(lines, running, false)).toMatchObject({ found: {}, open: 1 });
});

test("a last line that was cut off is not read", async () => {
  const file = join(newFolder("book"), "book.jsonl");
  const book = writeBook(file);
  for (const line of lines) book.note(line);
  book.close();
  appendFileSync(file, '{"line":"told","id":1,"wh');
  const { orders, kills, madeOf } = await readBook(file);
  expect([orders.size, kills, madeOf.get(6)]).toEqual([8, 1, 1]);
});
