import { operator } from "@/lib/session";

export const PATCH = operator.editChannel;
export const DELETE = operator.removeChannel;
