import type { Transporter } from "nodemailer";
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

/** The library takes its times from the address only, and without them waits for up to ten minutes. */
export async function mailTransport(server: string, timeoutMs = TIMEOUT_MS): Promise<Transporter> {
  // Loaded with the first mail: few processes send one.
  const { createTransport } = await import("nodemailer");
  const url = new URL(server);
  for (const name of ["dnsTimeout", "connectionTimeout", "greetingTimeout", "socketTimeout"])
    if (!url.searchParams.has(name)) url.searchParams.set(name, String(timeoutMs));
  return createTransport(url.href);
}

/** So that programs which answer mails by themselves do not answer ours (RFC 3834). */
const headers = { "Auto-Submitted": "auto-generated" };

/** Rejects when the mail server does not accept the mail. */
export async function sendMail(
  { server, from }: MailServer,
  mail: Mail,
  timeoutMs = TIMEOUT_MS,
): Promise<void> {
  const transport = await mailTransport(server, timeoutMs);
  await transport.sendMail({ from, headers, ...mail });
}
