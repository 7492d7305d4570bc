import { createTransport } from "nodemailer";
import { brandName } from "../contract/brand";
import type { Settings } from "../settings/settings";

/** Where mails are handed in, and whom they are from. */
export interface MailServer {
  /** SMTP URL. */
  readonly server: string;
  readonly from: string;
}

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
}

const TIMEOUT_MS = 20_000;

/** A name before an address, as RFC 5322 lets it have any character. */
const quoted = (name: string) =>
  /^[\w ]+$/.test(name) ? name : `"${name.replace(/["\\]/g, "\\$&")}"`;

/** Null where mail is not set up. */
export function mailServerOf({
  SMTP_URL,
  SMTP_FROM,
  publicUrl,
}: Pick<Settings, "SMTP_URL" | "SMTP_FROM" | "publicUrl">): MailServer | null {
  if (SMTP_URL === undefined) return null;
  const address = `no-reply@${new URL(publicUrl).hostname}`;
  return {
    server: SMTP_URL,
    // Read for each mail: the name can change while the process runs.
    get from() {
      return SMTP_FROM ?? `${quoted(brandName())} <${address}>`;
    },
  };
}

/** Rejects when the mail server does not accept the mail. */
export async function sendMail({ server, from }: MailServer, mail: Mail): Promise<void> {
  const transport = createTransport(server, {
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
  } as never);
  await transport.sendMail({ from, ...mail });
}
