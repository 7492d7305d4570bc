import { cookies } from "next/headers";

/** STAND-IN until lib/session lands. */
export async function currentUser(): Promise<{ id: string; accountId: string; email: string; name: string | null } | null> {
  const preview = (await cookies()).get("preview");
  return preview ? { id: "user_1", accountId: "acct_1", email: "ada@example.com", name: null } : null;
}
