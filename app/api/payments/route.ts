import { site } from "@/lib/session";

export const GET = site.listPayments;
export const POST = site.startPayment;
