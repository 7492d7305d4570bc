import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { currentPending, currentUser } from "@/lib/session/current-user";

/** The login page, which leads back to `path`. */
async function toLogin(path?: string): Promise<never> {
  const here = path ?? (await headers()).get("x-path") ?? "/points";
  redirect(`/login?callbackUrl=${encodeURIComponent(here)}`);
}

/**
 * The user of a signed-in page. Without a session it redirects to the login page, which leads back
 * to `path`.
 */
export async function requirePageUser(path?: string) {
  return (await currentUser()) ?? (await toLogin(path));
}

/**
 * The user of an operators' page; 404 for everyone else. `generateMetadata` calls it too, since the
 * title would reveal the page. An operator whose sign-in waits for its second factor completes it.
 */
export async function requireOperator() {
  const user = await currentUser();
  if (user?.isOperator === true) return user;
  const pending = user === null ? await currentPending() : null;
  return pending?.user.isOperator === true ? toLogin() : notFound();
}
