import { operator } from "@/lib/session";

export const POST = operator.attendToPayment;
