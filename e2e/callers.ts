/** Creates callers of every kind through the product itself, and calls addresses as them. */
import { setTimeout } from "node:timers/promises";
import { Agent, fetch as request } from "undici";
import { managementScopes } from "@/lib/contract/states";
import { words } from "@/testing/cli/words";
import { signIn } from "@/testing/product/sign-in";
import { newEmail, password, relayCommand } from "./product";
import { pathOf } from "./route-roles";

export interface Caller {
  readonly name: "visitor" | "person" | "other" | "operator" | "suspended";
  readonly accountId: string;
  readonly cookie: string;
  readonly key: string;
  /** A management key with every scope. */
  readonly manager: string;
}

export interface Answer {
  readonly status: number;
  readonly code: string | null;
  readonly location: string | null;
  readonly text: string;
  readonly headers: Record<string, string>;
}

export const baseUrl = () => process.env.E2E_BASE_URL ?? "";

/** Asks again when the pages' limit refused: it says nothing about who may call an address. */
export async function ask(
  method: string,
  path: string,
  headers: Record<string, string> = {},
  body?: object,
): Promise<Answer> {
  for (;;) {
    const answer = await askOnce(method, path, headers, body);
    if (answer.code !== "page_rate_limited") return answer;
    await setTimeout(Number(answer.headers["retry-after"]) * 1000);
  }
}

/** From an address of its own, since these requests use up what one address may send. */
const dispatcher = new Agent({ localAddress: "127.0.0.9" });

async function askOnce(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: object | undefined,
): Promise<Answer> {
  const isWrite = method !== "GET";
  const response = await request(`${baseUrl()}${path}`, {
    method,
    dispatcher,
    redirect: "manual",
    headers: {
      ...headers,
      ...(isWrite ? { origin: baseUrl(), "content-type": "application/json" } : {}),
    },
    body: isWrite ? JSON.stringify(body ?? {}) : null,
  });
  const text = await response.text();
  const code = /"code":"(\w+)"/.exec(text)?.[1] ?? null;
  return {
    status: response.status,
    code,
    location: response.headers.get("location"),
    text,
    headers: Object.fromEntries(response.headers),
  };
}

export async function makeCaller(name: Caller["name"]): Promise<Caller> {
  if (name === "visitor") return { name, accountId: "", cookie: "", key: "", manager: "" };
  const email = newEmail();
  const flags = name === "operator" ? ["--operator"] : [];
  const { account } = (await relayCommand(
    ...words`account create --email ${email} --password ${password}`,
    ...flags,
  )) as {
    account: { id: string };
  };
  const cookie = await signIn(baseUrl(), email, password);
  const made = await ask("POST", pathOf("createKey"), { cookie }, { name: "test" });
  const { secret } = JSON.parse(made.text) as { secret: string };
  const manager = (await relayCommand(
    ...["management-key", "create", "--email", email, "--name", "test"],
    ...["--scopes", managementScopes.join(",")],
  )) as { secret: string };
  if (name === "suspended")
    await relayCommand("account", "suspend", "--email", email, "--reason", "a test");
  return { name, accountId: account.id, cookie, key: secret, manager: manager.secret };
}

export const keyOf = ({ key }: Caller) => ({ authorization: `Bearer ${key}` });
export const managerOf = ({ manager }: Caller) => ({ authorization: `Bearer ${manager}` });
export const sessionOf = ({ cookie }: Caller): Record<string, string> =>
  cookie === "" ? {} : { cookie };
