/** A sheet of paper as a PDF. Equal sheets become equal bytes. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type PDFDocument from "pdfkit";

/** Latin, Greek, Cyrillic and Chinese letters, under the SIL Open Font License. */
const FONT = "public/fonts/noto-sans-sc.ttf";
const MARGIN = 54;
const WIDTH = 595.28 - 2 * MARGIN;
const BOTTOM = 841.89 - MARGIN - 20;
const GAP = 8;
const [INK, MUTED, LINE] = ["#1a1a1a", "#666666", "#d0d0d0"];

interface Column {
  readonly name: string;
  /** Its share of the width. */
  readonly share: number;
  readonly isNumber?: boolean;
}

export interface Table {
  readonly title: string;
  readonly columns: readonly Column[];
  readonly rows: readonly (readonly string[])[];
  /** Rows below a line, in stronger ink. */
  readonly sums?: readonly (readonly string[])[];
  readonly note?: string;
}

export interface Sheet {
  readonly title: string;
  readonly madeAt: Date;
  readonly parties: readonly { readonly title: string; readonly lines: readonly string[] }[];
  readonly facts: readonly (readonly [name: string, value: string])[];
  readonly tables: readonly Table[];
  readonly note: string;
}

type Doc = InstanceType<typeof PDFDocument>;

/** The place of the next line; a new page where less than `height` is left. */
function roomFor(doc: Doc, height: number): number {
  if (doc.y + height > BOTTOM) doc.addPage();
  return doc.y;
}

function heightOf(doc: Doc, columns: readonly Column[], cells: readonly string[]): number {
  const heights = columns.map(({ share }, at) =>
    doc.heightOfString(cells[at] ?? "", { width: share * WIDTH - GAP }),
  );
  return Math.max(...heights);
}

function writeCells(
  doc: Doc,
  columns: readonly Column[],
  cells: readonly string[],
  height = heightOf(doc, columns, cells),
): void {
  const top = roomFor(doc, height);
  let left = MARGIN;
  columns.forEach(({ share, isNumber }, at) => {
    const width = share * WIDTH - (at === columns.length - 1 ? 0 : GAP);
    doc.text(cells[at] ?? "", left, top, { width, align: isNumber ? "right" : "left" });
    left += share * WIDTH;
  });
  doc.x = MARGIN;
  doc.y = top + height + 4;
}

function rule(doc: Doc): void {
  doc
    .moveTo(MARGIN, doc.y)
    .lineTo(MARGIN + WIDTH, doc.y)
    .lineWidth(0.5)
    .stroke(LINE);
  doc.y += 5;
}

function writeHead(doc: Doc, { title, columns }: Table): void {
  doc.fontSize(11).fillColor(INK).text(title, MARGIN, doc.y);
  doc.y += 3;
  doc.fontSize(8.5).fillColor(MUTED);
  writeCells(
    doc,
    columns,
    columns.map(({ name }) => name),
  );
  rule(doc);
  doc.fontSize(9).fillColor(INK);
}

function writeTable(doc: Doc, table: Table): void {
  const { columns, rows, sums = [], note } = table;
  doc.y += 14;
  // A head is never the last thing of a page.
  roomFor(doc, 70);
  writeHead(doc, table);
  for (const cells of rows) {
    const height = heightOf(doc, columns, cells);
    if (doc.y + height > BOTTOM) {
      doc.addPage();
      writeHead(doc, table);
    }
    writeCells(doc, columns, cells, height);
  }
  if (sums.length > 0) {
    roomFor(doc, 10 + sums.length * 16);
    if (rows.length > 0) rule(doc);
    doc.fontSize(10);
    for (const cells of sums) writeCells(doc, columns, cells);
  }
  if (note !== undefined) {
    doc.fontSize(8.5).fillColor(MUTED);
    roomFor(doc, 14);
    doc.text(note, MARGIN, doc.y, { width: WIDTH });
  }
}

function writeParties(doc: Doc, { parties }: Sheet): void {
  const top = doc.y;
  const width = WIDTH / Math.max(parties.length, 1);
  let bottom = top;
  parties.forEach(({ title, lines }, at) => {
    const left = MARGIN + at * width;
    doc
      .fontSize(8.5)
      .fillColor(MUTED)
      .text(title, left, top, { width: width - 16 });
    doc.y += 2;
    doc.fontSize(10).fillColor(INK);
    for (const line of lines) doc.text(line, left, doc.y, { width: width - 16 });
    bottom = Math.max(bottom, doc.y);
  });
  doc.y = bottom + 14;
}

function writeFacts(doc: Doc, { facts }: Sheet): void {
  const columns = [
    { name: "", share: 0.25 },
    { name: "", share: 0.75 },
  ];
  doc.fontSize(9).fillColor(INK);
  for (const fact of facts) writeCells(doc, columns, fact);
}

/** `1 / 3` at the foot of each page. */
function writePageNumbers(doc: Doc): void {
  const { start, count } = doc.bufferedPageRange();
  for (let page = start; page < start + count; page++) {
    doc.switchToPage(page);
    // Below the margin, where text would otherwise begin a page of its own.
    doc.page.margins.bottom = 0;
    doc.fontSize(8).fillColor(MUTED);
    doc.text(`${page + 1} / ${count}`, MARGIN, BOTTOM + 22, { width: WIDTH, align: "right" });
  }
}

function write(doc: Doc, sheet: Sheet): void {
  doc.fontSize(20).fillColor(INK).text(sheet.title, MARGIN, MARGIN, { width: WIDTH });
  doc.y += 14;
  writeParties(doc, sheet);
  writeFacts(doc, sheet);
  for (const table of sheet.tables) writeTable(doc, table);
  doc.y += 16;
  doc.fontSize(8.5).fillColor(MUTED);
  roomFor(doc, doc.heightOfString(sheet.note, { width: WIDTH }));
  doc.text(sheet.note, MARGIN, doc.y, { width: WIDTH });
  writePageNumbers(doc);
}

/** Read once, when the first sheet is made. */
let font: Promise<Buffer> | undefined;

export async function writeSheet(sheet: Sheet): Promise<Uint8Array<ArrayBuffer>> {
  // To load it takes a fifth of the start of a process, and few processes write a sheet.
  const { default: Document } = await import("pdfkit");
  font ??= readFile(join(process.cwd(), FONT));
  const letters = await font.catch((error: unknown) => {
    font = undefined;
    throw error;
  });
  const doc = new Document({
    size: "A4",
    margin: MARGIN,
    bufferPages: true,
    info: { Title: sheet.title, CreationDate: sheet.madeAt, ModDate: sheet.madeAt },
    // Otherwise it would read a font of its own.
    font: "",
  });
  const parts: Uint8Array[] = [];
  const done = new Promise<void>((resolve, reject) => {
    doc.on("data", (part: Uint8Array) => parts.push(part));
    doc.on("end", resolve);
    doc.on("error", reject);
  });
  doc.registerFont("letters", letters).font("letters");
  write(doc, sheet);
  doc.end();
  await done;
  return new Uint8Array(Buffer.concat(parts));
}
