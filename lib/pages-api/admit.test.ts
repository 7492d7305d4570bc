import { expect, test } from "vitest";
import { pagesHostOf } from "@/testing/pages-api/pages-host";
import { startSiteProcess } from "@/testing/pages-api/site-process";
import { opened } from "@/testing/unit/opened";
import { sessionOf } from "../accounts/session-store";
import { signUp } from "../accounts/sign-up";
import { ADDRESS_HEADER } from "../http/serve-page";
import { createPageLimiter } from "../limits/page-limiter";
import { admitPageRequest } from "./admit";
import { pageHandlers } from "./page-handlers";

const limiter = createPageLimiter(undefined, () => 0);

const site = await opened(startSiteProcess());
const { userId } = await signUp(site.deps, {
  email: "a@example.com",
  password: "correct horse battery",
});
const user = sessionOf(await site.deps.database.user.findUniqueOrThrow({ where: { id: userId } }));
const deps = { ...site.deps, pageLimiter: limiter };
const routes = pageHandlers(
  pagesHostOf({
    deps: () => deps,
    currentUser: async () => user,
    isOperator: () => false,
    admit: admitPageRequest,
  }),
);

async function ask(name: keyof typeof routes, method: "GET" | "POST", address: string) {
  const headers = { origin: "http://localhost:3000", [ADDRESS_HEADER]: address };
  const response = await routes[name](
    new Request("http://localhost:3000/api/x", { method, headers }),
    "key_x",
  );
  return {
    status: response.status,
    wait: Number(response.headers.get("retry-after")),
    json: await response.json(),
  };
}

test("a session may write 120 times a minute; then it gets 429 with Retry-After, and reads still work", async () => {
  const actions = () => site.deps.database.operatorAction.count();
  const before = await actions();
  const answers = await Promise.all(
    Array.from({ length: 200 }, (_, index) => ask("signOutEverywhere", "POST", `192.0.2.${index}`)),
  );
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused).toHaveLength(80);
  for (const { json, wait } of refused) {
    expect(json.error).toMatchObject({
      type: "rate_limit_error",
      code: "page_rate_limited",
      message: expect.stringContaining("120"),
    });
    expect(wait).toBeGreaterThan(0);
  }
  expect((await actions()) - before).toBe(120);
  expect((await ask("listSessions", "GET", "192.0.2.1")).status).toBe(200);
});

test("one address is limited for all users together, also without a session", async () => {
  for (let asked = 0; asked < 5900; asked++) limiter.take("address", "198.51.100.1", "read");
  const answers = await Promise.all(
    Array.from({ length: 200 }, () => ask("showVersion", "GET", "198.51.100.1")),
  );
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(100);
  expect((await ask("showVersion", "GET", "198.51.100.2")).status).toBe(200);
});
