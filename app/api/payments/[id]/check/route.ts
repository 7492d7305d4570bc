import { site } from "@/lib/session";

export const POST = site.checkPayment;
