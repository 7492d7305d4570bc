import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { currentUser } from "@/lib/session/current-user";

/**
 * The user of a signed-in page. Without a session it redirects to the login page, which leads back
 * to `path`.
 */
export async function requirePageUser(path?: string) {
  const user = await currentUser();
  if (user) return user;
  const here = path ?? (await headers()).get("x-path") ?? "/points";
  redirect(`/login?callbackUrl=${encodeURIComponent(here)}`);
}

/**
 * The user of an operators' page; 404 for everyone else. `generateMetadata` calls it too, since the
 * title would reveal the page.
 */
export async function requireOperator() {
  const user = await currentUser();
  if (user?.isOperator !== true) notFound();
  return user;
}
