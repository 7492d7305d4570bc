import { publicFile } from "@/app/_server/public-file";
import { llmsText } from "@/lib/pages-api/public-files";

export const dynamic = "force-dynamic";
export const GET = () => publicFile("text/plain; charset=utf-8", llmsText);
