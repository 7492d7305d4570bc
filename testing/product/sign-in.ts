/** Signs in as the login page does. */
import { AUTH_PATH } from "@/lib/contract/page-paths";

const cookiesOf = (response: Response) =>
  response.headers.getSetCookie().map((cookie) => cookie.split(";")[0] ?? "");

/** Returns the `Cookie` header of a new session at `url`, without a slash at its end. */
export async function signIn(url: string, email: string, password: string): Promise<string> {
  const start = await fetch(`${url}${AUTH_PATH}/csrf`);
  const { csrfToken } = (await start.json()) as { csrfToken: string };
  const sent = await fetch(`${url}${AUTH_PATH}/callback/credentials`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie: cookiesOf(start).join("; "), origin: url },
    body: new URLSearchParams({ csrfToken, email, password, json: "true" }),
  });
  const session = cookiesOf(sent).find((cookie) => /^[\w-]*relay-session=./.test(cookie));
  if (session === undefined)
    throw new Error(`${email} was not signed in: ${sent.status} ${await sent.text()}`);
  return session;
}
