import { operator } from "@/lib/session";

export const GET = operator.listInvites;
export const POST = operator.createInvite;
