/** What drivers say when no answer came from the database, rather than a refusal. */
const codes = /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EHOSTUNREACH|EAI_AGAIN|57P0|53300|57014|P1001|P1002|P1008|P1017|P2024|P2028)/;
const messages = /timeout exceeded when trying to connect|Connection terminated|Query read timeout|Can't reach database server/;
const DEPTH_MAX = 4;

/** Whether the error, or what caused it, is that the database could not be reached or did not answer in time. */
export function isOutage(error: unknown): boolean {
  let each = error;
  for (let depth = 0; depth < DEPTH_MAX && each instanceof Error; depth++) {
    const { code } = each as { code?: unknown };
    if ((typeof code === "string" && codes.test(code)) || messages.test(each.message)) return true;
    each = each.cause;
  }
  return false;
}
