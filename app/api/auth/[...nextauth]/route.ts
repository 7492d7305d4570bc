import { authHandler } from "@/lib/session";

export const GET = authHandler;
export const POST = authHandler;
