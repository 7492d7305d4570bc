import type { CsvFile } from "../contract/page-endpoint";

export const csvHeaders = (name: string) => ({
  "content-type": "text/csv; charset=utf-8; header=present",
  "content-disposition": `attachment; filename="${name}"`,
});

export const pdfHeaders = (name: string) => ({
  "content-type": "application/pdf",
  "content-disposition": `attachment; filename="${name}"`,
});

/**
 * The file as a response. A client that disconnects ends the reading; a failure while reading cuts
 * the download off.
 */
export function csvResponse({ name, lines }: CsvFile, headers: Record<string, string>): Response {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
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
