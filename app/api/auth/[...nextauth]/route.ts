import { authHandler } from "@/lib/session/session";

export const GET = authHandler;
export const POST = authHandler;
