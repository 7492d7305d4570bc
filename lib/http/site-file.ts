import { z } from "zod";

/** An answer that a browser saves: CSV, sent as it is read. */
export class SiteFile {
  constructor(
    readonly name: string,
    readonly lines: AsyncGenerator<string>,
  ) {}
}

export const siteFile = z.instanceof(SiteFile);

/** The file as a response; a reader that goes away ends the reading, a failure on the way breaks the download off. */
export function fileResponse({ name, lines }: SiteFile, headers: Record<string, string>): Response {
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
  return new Response(body, {
    headers: {
      ...headers,
      "content-type": "text/csv; charset=utf-8; header=present",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
