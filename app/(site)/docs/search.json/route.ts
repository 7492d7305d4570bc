import { docPlacesText } from "@/app/_server/doc-places";

/** What the search of the documentation reads, in the reader's language. */
export async function GET(): Promise<Response> {
  return new Response(await docPlacesText(), {
    headers: {
      "content-type": "application/json",
      "cache-control": "private, max-age=300",
      vary: "cookie, accept-language",
    },
  });
}
