import { site } from "@/lib/session";

export const GET = site.showPayment;
