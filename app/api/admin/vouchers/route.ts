import { operator } from "@/lib/session";

export const GET = operator.listVoucherBatches;
export const POST = operator.createVouchers;
