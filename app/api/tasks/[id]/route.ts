import { site } from "@/lib/session";

export const DELETE = site.removeTask;
export const GET = site.showTask;
