import { site } from "@/lib/session";

export const GET = site.nothingHere;
export const POST = site.nothingHere;
export const PUT = site.nothingHere;
export const PATCH = site.nothingHere;
export const DELETE = site.nothingHere;
