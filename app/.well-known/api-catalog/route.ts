import { publicFile } from "@/app/_server/public-file";
import { apiCatalog } from "@/lib/pages-api/public-files";

const LINKSET = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

export const dynamic = "force-dynamic";
export const GET = () => publicFile(LINKSET, (origin) => JSON.stringify(apiCatalog(origin)));
