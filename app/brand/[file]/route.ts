import { brandSheet, logoIn, shownIcon } from "@/lib/pages-api/brand";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

export const dynamic = "force-dynamic";

/** An SVG that is opened by itself runs nothing and loads nothing. */
const POLICY = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

function fileOf(name: string): { type: string; body: BodyInit } | null {
  const { value } = pagesDeps().live;
  const sheet = name === "accent.css" ? brandSheet(value) : null;
  if (sheet !== null) return { type: "text/css; charset=utf-8", body: sheet };
  const image =
    name === "logo" ? logoIn(value) : name === "icon" ? (shownIcon(value)?.image ?? null) : null;
  return image && { type: image.type, body: image.bytes };
}

/** The operator's logo, icon and colours. An address with `v` names its content. */
export async function GET(
  request: Request,
  { params }: { params: Promise<{ file: string }> },
): Promise<Response> {
  const found = fileOf((await params).file);
  if (found === null) return new Response("Not found.\n", { status: 404 });
  const isNamed = new URL(request.url).searchParams.has("v");
  return new Response(found.body, {
    headers: {
      "content-type": found.type,
      "content-security-policy": POLICY,
      "cache-control": `public, max-age=${isNamed ? "31536000, immutable" : "300"}`,
    },
  });
}
