import { publicFile } from "@/app/_server/public-file";
import { securityText } from "@/lib/pages-api/public-files";

export const dynamic = "force-dynamic";
/** Exists only where the operator set a security contact. */
export const GET = () =>
  publicFile("text/plain; charset=utf-8", (origin, { settings }) =>
    settings.RELAY_SECURITY_CONTACT === undefined
      ? null
      : securityText(origin, settings.RELAY_SECURITY_CONTACT, new Date()),
  );
