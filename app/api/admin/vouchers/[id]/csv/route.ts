import { operator } from "@/lib/session";

export const GET = operator.downloadBatch;
