/** Signs in as a browser does, and keeps the cookie. */
import { head, JSON_HEADERS } from "./requests";
import { type Answer, AnswerReader, openSocket, type Target } from "./wire";

function ask(
  target: Target,
  method: string,
  path: string,
  headers: Record<string, string>,
  body = "",
): Promise<Answer & { cookies: string }> {
  return new Promise((resolve, reject) => {
    let raw = "";
    const socket = openSocket(target);
    const reader = new AnswerReader((answer) => {
      socket.destroy();
      const cookies = [...raw.matchAll(/^set-cookie: ([^;]+);/gim)]
        .map((match) => match[1])
        .join("; ");
      resolve({ ...answer, cookies });
    });
    socket.on("data", (part) => {
      raw += part.toString("latin1");
      reader.push(part);
    });
    socket.once("close", () => reject(new Error(`${method} ${path} was not answered`)));
    const length = body === "" ? null : Buffer.byteLength(body);
    socket.once("connect", () =>
      socket.write(Buffer.concat([head(target, method, path, headers, length), Buffer.from(body)])),
    );
  });
}

/**
 * Returns the `Cookie` header of a new session. `withProof`: gives the password once more, as
 * operators' changes require.
 */
export async function signIn(
  target: Target,
  origin: string,
  email: string,
  password: string,
  withProof = false,
): Promise<string> {
  const first = await ask(target, "GET", "/api/auth/csrf", {});
  const { csrfToken } = JSON.parse(first.body) as { csrfToken: string };
  const form = new URLSearchParams({
    csrfToken,
    email,
    password,
    json: "true",
    callbackUrl: `${origin}/points`,
  }).toString();
  const answer = await ask(
    target,
    "POST",
    "/api/auth/callback/credentials",
    { cookie: first.cookies, origin, "content-type": "application/x-www-form-urlencoded" },
    form,
  );
  const session = /(?:__Host-)?relay-session=[^;]+/.exec(answer.cookies)?.[0];
  if (session === undefined)
    throw new Error(`${email} could not sign in: ${answer.status} ${answer.body.slice(0, 200)}`);
  if (withProof) {
    const proof = await ask(
      target,
      "POST",
      "/api/proof",
      { cookie: session, origin, ...JSON_HEADERS },
      JSON.stringify({ password }),
    );
    if (proof.status !== 200)
      throw new Error(
        `${email} could not prove the password: ${proof.status} ${proof.body.slice(0, 200)}`,
      );
  }
  return session;
}
