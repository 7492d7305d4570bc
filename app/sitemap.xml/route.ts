import { publicFile } from "@/app/_server/public-file";
import { sitemapText } from "@/lib/pages-api/public-files";

export const dynamic = "force-dynamic";
export const GET = () =>
  publicFile("application/xml", (origin, { live }) => sitemapText(origin, live));
