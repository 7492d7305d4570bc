/** The public error of a task that did not succeed. */
import { failures } from "../../failures/failure-table";
import { isKeyOf } from "../../values/records";

const ownMessages: Readonly<Record<string, string>> = {
  task_cancelled: "The task was cancelled. Nothing was charged.",
  task_expired: "The task was not finished in time. Nothing was charged.",
  order_interrupted:
    "The server was interrupted before it sent the order to the upstream. Nothing was charged.",
  client_gone:
    "The client disconnected before the task was sent to the upstream. Nothing was charged.",
};

export function taskError(code: string | null): { code: string; message: string } {
  const known = code ?? "upstream_failed";
  const own = Object.hasOwn(ownMessages, known) ? ownMessages[known] : undefined;
  if (own) return { code: known, message: own };
  const listed = isKeyOf(failures, known) ? known : "upstream_failed";
  return { code: listed, message: failures[listed].message };
}
