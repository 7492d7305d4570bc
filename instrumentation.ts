import type { Instrumentation } from "next";

/** Reports a failed page or route to the operator, with the reference that its reader was shown. */
export const onRequestError: Instrumentation.onRequestError = async (error, request) => {
  if (process.env.NEXT_RUNTIME !== "nodejs") return;
  const { log } = await import("@/lib/process/log");
  const digest = (error as { digest?: string } | null)?.digest;
  log.error({ err: error, digest, path: request.path.split("?")[0] }, "a page failed");
};
