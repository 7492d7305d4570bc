import { models } from "@/lib/catalog/models";
import type { Family } from "@/lib/contract/states";
import { pagesDeps } from "@/lib/pages-api/pages-deps";

/** Whether the sandbox answers a family, or a part of it, at this moment. */
export function isFromSandbox(family: Family): boolean {
  const { serverOf } = pagesDeps();
  return models.some((model) => model.family === family && serverOf(model.id) === "sandbox");
}
