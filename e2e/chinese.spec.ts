import type { Page } from "@playwright/test";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { publicPaths } from "@/lib/pages-api/public-paths";
import { extent, isCore } from "@/testing/extent/extent";
import { assertChinese, inLanguage } from "./language";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { beginSession, chat, expect, relayCommand, test, visit } from "./product";
import { pagesOf } from "./route-roles";
import { type Served, serveInstance, testInstance } from "./serve-product";

/** These tests start their own product: what other tests write into theirs is English. */
test.describe.configure({ mode: "serial", timeout: 360_000 });
let served: Served | undefined;
const before = { ...process.env };

test.beforeAll(async () => {
  // In the core this file is the first, before others write.
  if (isCore) return;
  served = await serveInstance("chinese");
  testInstance(served);
});
test.afterAll(async () => {
  await served?.stop();
  Object.assign(process.env, before);
});
test.beforeEach(async ({ page }) => inLanguage(page, "zh-CN"));

async function visitAll(page: Page, paths: readonly string[]): Promise<void> {
  for (const path of paths) {
    await visit(page, path);
    await assertChinese(page, path);
  }
}

/** Sends something from the page's own session, or with a key; the answer's id. */
const order = (page: Page, path: string, body: object, key?: string) =>
  page.evaluate(
    async ([address, sent, authorization]) => {
      const response = await fetch(address, {
        method: "POST",
        headers: { "content-type": "application/json", ...(authorization && { authorization }) },
        body: JSON.stringify(sent),
      });
      const { id } = (await response.json()) as { id?: string };
      return id ?? response.headers.get("x-request-id") ?? "";
    },
    [`${key ? "" : PLAYGROUND_PATH}/v1${path}`, body, key && `Bearer ${key}`] as const,
  );

test("public pages in Chinese have no English sentence and no raw code", { tag: "@core" }, async ({
  page,
  allowStatus,
}) => {
  // Every eighth of them in `npm test`.
  const paths = publicPaths();
  const some = paths.filter((_, place) => place % 8 === 0);
  await visitAll(page, [...extent(some, paths), "/login", "/signup", "/login?error=Verification"]);
  allowStatus(404);
  await visitAll(page, ["/nowhere"]);
});

test("a person's pages in Chinese have none either, with failed work of every kind", async ({
  page,
  baseURL,
  allowStatus,
}) => {
  for (const status of [400, 404, 502]) allowStatus(status);
  const { email, key } = await newCustomer();
  for (const content of ["你好", "[[fail]]", "[[status:400]]"]) await chat(baseURL, key, content);
  await beginSession(page, email);
  await page.goto("/points");
  const ids: string[] = [];
  for (const prompt of ["[[status:400]] 狐狸", "[[fail]] 狐狸", "狐狸"])
    ids.push(
      await order(page, "/images/generations", {
        model: "Super-Relay-Image",
        prompt,
        size: "512x512",
      }),
    );
  for (const text of ["[[fail]] 野兔", "[[queue:600]] 苍鹭"])
    ids.push(
      await order(
        page,
        "/contents/generations/tasks",
        {
          model: "Super-RelayFast",
          content: [{ type: "text", text }],
          callback_url: "https://hooks.example/relay",
        },
        key,
      ),
    );
  await visitAll(page, [
    ...pagesOf("dashboard"),
    "/usage?group=model",
    ...ids.map((id) => `/tasks/${id}`),
    "/tasks/nothing",
    "/usage?from=nonsense",
  ]);
  await page.goto("/usage");
  const requests = page
    .getByRole("region", { name: "请求" })
    .getByRole("link", { name: /RelayV1/ });
  await expect(requests.first()).toBeVisible();
  for (let place = 0; place < (await requests.count()); place++) {
    await requests.nth(place).click();
    await expect(page.getByRole("dialog")).toContainText("积分去向");
    await assertChinese(page, `request ${place}`);
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toBeHidden();
  }
  await page.goto("/playground");
  await page.getByLabel("消息", { exact: true }).fill("[[status:400]]");
  await page.getByLabel("消息", { exact: true }).press("Enter");
  await expect(page.getByRole("button", { name: "重试" })).toBeVisible();
  await assertChinese(page, "a refused chat");
});

test("operators' pages in Chinese have none either", async ({ page, baseURL }) => {
  const { accountId, key, email } = await newCustomer();
  const answered = await chat(baseURL, key, "你好");
  await chat(baseURL, key, "[[fail]]");
  await relayCommand("account", "suspend", "--email", email, "--reason", "测试");
  await relayCommand("invite", "create", "--note", "小安");
  await relayCommand("voucher", "create", "--points", "5", "--name", "活动");
  await signInAsOperator(page);
  await visitAll(page, [
    ...pagesOf("operator"),
    `/admin/accounts/${accountId}`,
    `/admin/requests?request=${answered.headers.get("x-request-id")}`,
    "/admin/models?new",
    "/admin/models/RelayV1",
  ]);
});
