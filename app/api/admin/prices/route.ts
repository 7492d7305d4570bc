import { operator } from "@/lib/session";

export const GET = operator.showOperatorPrices;
export const POST = operator.setPrice;
