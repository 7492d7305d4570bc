import { createHash } from "node:crypto";
import { siteFacts } from "@/app/_server/site";
import { isStatusPublic } from "@/app/_server/status";
import { pagesDeps } from "@/lib/pages-api/pages-deps";
import { statusFeed } from "@/lib/pages-api/status-feed";

export const dynamic = "force-dynamic";

const plain = (text: string, status: number, headers: Record<string, string> = {}) =>
  new Response(text, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", ...headers },
  });

/** 404 unless the status page is public: readers of feeds have no session. */
export async function GET(request: Request): Promise<Response> {
  if (!isStatusPublic()) return plain("Not found.\n", 404);
  const incidents = await pagesDeps().incidents();
  if (incidents === null) return plain("Try again in a minute.\n", 503, { "retry-after": "60" });
  const isChinese = new URL(request.url).searchParams.get("lang") === "zh-CN";
  const feed = statusFeed(siteFacts().origin, incidents.value, isChinese ? "zh-CN" : "en");
  const etag = `"${createHash("sha256").update(feed).digest("base64url").slice(0, 22)}"`;
  const headers = { etag, "cache-control": "public, max-age=60" };
  const known = request.headers.get("if-none-match")?.split(",") ?? [];
  if (known.some((each) => each.trim().replace(/^W\//, "") === etag))
    return new Response(null, { status: 304, headers });
  return new Response(feed, {
    headers: { ...headers, "content-type": "application/atom+xml; charset=utf-8" },
  });
}
