import { operator } from "@/lib/session";

export const GET = operator.showChannels;
export const POST = operator.addChannel;
