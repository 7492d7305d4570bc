import { headers } from "next/headers";
import { notFound, redirect } from "next/navigation";
import { currentUser } from "@/lib/session/current-user";

/** Who reads a signed-in page; without a session leads to the login page and from there back to `path`. */
export async function requirePageUser(path?: string) {
  const user = await currentUser();
  if (user) return user;
  const here = path ?? (await headers()).get("x-path") ?? "/points";
  redirect(`/login?callbackUrl=${encodeURIComponent(here)}`);
}

/** Who reads an operators' page; to anyone else there is no such page. `generateMetadata` asks it too, or the title would tell. */
export async function requireOperator() {
  const user = await currentUser();
  if (user?.isOperator !== true) notFound();
  return user;
}
