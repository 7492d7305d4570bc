/** Options that name a user's address or password. */
import { mayBeEmail } from "@/lib/contract/email-shape";
import {
  EMAIL_LENGTH_MAX,
  NAME_LENGTH_MAX,
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
} from "@/lib/contract/limits";
import { type Flags, UsageError } from "./command";

export function emailOf(flags: Flags, name: string): string {
  const email = flags.text(name);
  if (!mayBeEmail(email) || email.length > EMAIL_LENGTH_MAX)
    throw new UsageError(`--${name} ${email} is not an email address`);
  return email;
}

/** A name that others read. */
export function nameOf(text: string): string {
  const name = text.trim();
  if (name.length <= NAME_LENGTH_MAX) return name;
  throw new UsageError(`--name must have at most ${NAME_LENGTH_MAX} characters`);
}

export async function passwordOf(flags: Flags): Promise<string> {
  const password = await flags.secret("password", "RELAY_PASSWORD");
  if (password === null)
    throw new UsageError("--password is missing: use --password-stdin, or set RELAY_PASSWORD");
  if (password.length < PASSWORD_LENGTH_MIN || password.length > PASSWORD_LENGTH_MAX)
    throw new UsageError(
      `--password must have ${PASSWORD_LENGTH_MIN} to ${PASSWORD_LENGTH_MAX} characters`,
    );
  return password;
}
