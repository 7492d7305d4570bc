import { operator } from "@/lib/session";

export const GET = operator.showOperatorSettings;
export const POST = operator.setSetting;
