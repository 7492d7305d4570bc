import { site } from "@/lib/session";

export const GET = site.listKeys;
export const POST = site.createKey;
