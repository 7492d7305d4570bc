import type { CsvFile } from "../contract/page-endpoint";

export const csvHeaders = (name: string) => ({
  "content-type": "text/csv; charset=utf-8; header=present",
  "content-disposition": `attachment; filename="${name}"`,
});

export const pdfHeaders = (name: string) => ({
  "content-type": "application/pdf",
  "content-disposition": `attachment; filename="${name}"`,
});

/** Without it Excel takes the text for one in the encoding of its own language. */
const BYTE_ORDER_MARK = "\ufeff";

/**
 * The file as a response, for a person's spreadsheet. A client that disconnects ends the reading; a failure while reading cuts
 * the download off.
 */
export function csvResponse({ name, lines }: CsvFile, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(BYTE_ORDER_MARK)),
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
  return new Response(body, { headers: { ...headers, ...csvHeaders(name) } });
}
