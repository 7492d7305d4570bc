export { answerExample as GET, answerExample as HEAD } from "@/lib/pages-api/example-file";

export const dynamic = "force-dynamic";
