import { operator } from "@/lib/session";

export const GET = operator.listAllPackages;
export const POST = operator.createPackage;
