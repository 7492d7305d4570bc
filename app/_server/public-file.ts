import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { siteFacts } from "./site";

const AN_HOUR = "public, max-age=3600";

/** Serves one of this installation's text files; 404 for null. */
export function publicFile(
  type: string,
  write: (origin: string, deps: ReturnType<typeof pagesDeps>) => string | null,
): Response {
  const text = write(siteFacts().origin, pagesDeps());
  if (text === null)
    return new Response("Not found.\n", {
      status: 404,
      headers: { "content-type": "text/plain; charset=utf-8" },
    });
  return new Response(text, { headers: { "content-type": type, "cache-control": AN_HOUR } });
}
