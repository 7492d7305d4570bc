import { checkTask } from "../commands/tasks";
import type { Call } from "../site/call";

export async function checkTaskNow({ parts, id, user }: Call) {
  await checkTask(parts, user().userId, { id });
  return { done: true as const };
}
