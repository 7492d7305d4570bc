import { site } from "@/lib/session";

export const PATCH = site.changeAccount;
