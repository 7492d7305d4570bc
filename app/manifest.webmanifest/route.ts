import { publicFile } from "@/app/_server/public-file";
import { webManifest } from "@/lib/pages-api/public-files";

export const dynamic = "force-dynamic";
export const GET = () =>
  publicFile("application/manifest+json", (_, { live }) => JSON.stringify(webManifest(live)));
