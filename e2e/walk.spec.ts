import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { publicPaths } from "@/lib/pages-api/public-paths";
import { inTurn } from "@/testing/extent/extent";
import { assertAccessible, assertFits, sizes } from "./fine";
import {
  chat,
  createKey,
  expect,
  follow,
  newKey,
  openPoints,
  password,
  pointsPageIsAlive,
  signInAnew,
  test,
  visit,
} from "./product";
import { pagesOf } from "./route-roles";

/** A page of each kind. The width test visits the whole sitemap. */
const publicPages = [
  "/",
  "/pricing",
  "/models",
  "/models/super-relay-2",
  ...inTurn(1, ["/docs", "/docs/videos", "/docs/errors"]),
  "/docs/api",
  "/docs/api/chat",
  "/login",
  "/forgot",
  "/reset",
  "/undo-email",
  "/signup",
];
test("no page scrolls sideways on a phone of 360 pixels, in either language", async ({
  page,
  context,
  baseURL,
}) => {
  await page.setViewportSize({ width: 360, height: 640 });
  await openPoints(page);
  await createKey(page, "a rather long name for a key, as people give them");
  await assertFits(page, "key shown once");
  await page.getByRole("button", { name: "I saved it" }).click();
  for (const value of ["en", "zh-CN"]) {
    await context.addCookies([{ name: "relay_locale", value, url: baseURL ?? "" }]);
    for (const path of [...publicPaths(), ...pagesOf("dashboard")]) {
      await page.goto(path);
      await assertFits(page, `${path} in ${value}`);
    }
  }
});

for (const [size, viewport] of Object.entries(sizes)) {
  test.describe(`${size}`, () => {
    test.use({ viewport });

    test("public pages are accessible and keep the content policy", {
      tag: size === "desktop" ? "@core" : [],
    }, async ({ page, allowStatus }) => {
      for (const path of publicPages) {
        await visit(page, path);
        // The site's header and the list of guides have a phone layout of their own.
        await assertAccessible(page, path, { isPhoneOwn: path === "/" || path === "/docs" });
      }
      allowStatus(404);
      await page.goto("/nowhere");
      await assertAccessible(page, "not found");
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        await expect(page.locator("html")).toHaveAttribute("data-theme", colorScheme);
      }
    });

    test("tasks of every kind, and their pages, are accessible", async ({ page, allowStatus }) => {
      allowStatus(502);
      const key = await newKey(await signInAnew(page), "production");
      await page.goto("/points");
      const ids = await page.evaluate(
        async ({ base, authorization }) => {
          const send = (path: string, body: object, more = {}) =>
            fetch(path.startsWith("/v1") ? path : `${base}/v1${path}`, {
              method: "POST",
              headers: { "content-type": "application/json", ...more },
              body: JSON.stringify(body),
            });
          const model = "Super-Relay-Image";
          const image = await send("/images/generations", {
            model,
            prompt: "A fox ".repeat(60),
            size: "512x2048",
          });
          await send("/images/generations", { model, prompt: "[[fail]] A fox", size: "512x512" });
          const content = [{ type: "text", text: "[[queue:600]] A heron" }];
          const callback_url = "https://hooks.example/relay";
          const film = { model: "Super-RelayFast", content, callback_url };
          const video = await send("/v1/contents/generations/tasks", film, { authorization });
          return [image.headers.get("x-request-id"), ((await video.json()) as { id: string }).id];
        },
        { base: PLAYGROUND_PATH, authorization: `Bearer ${key}` },
      );
      await page.goto("/tasks");
      await expect(page.getByRole("article", { name: /^(Video|Image) by/ })).toHaveCount(3);
      await assertAccessible(page, "tasks");
      for (const id of ids) {
        await page.goto(`/tasks/${id}`);
        await expect(page.getByRole("heading", { name: "Timeline" })).toBeVisible();
        await page.getByText("Request as code").click();
        await assertAccessible(page, `task ${id}`);
      }
      for (const kind of ["video", "image"]) {
        await page.goto(`/playground/${kind}?again=${ids[kind === "video" ? 1 : 0]}`);
        await expect(page.getByRole("textbox", { name: "Prompt" })).toHaveValue(/\w/);
        await assertAccessible(page, `playground ${kind}`);
      }
    });

    test("a usage page with requests and one of them open is accessible", async ({
      page,
      baseURL,
    }) => {
      const key = await newKey(await signInAnew(page), "production");
      for (const content of ["Say hello.", "[[fail]]"]) await chat(baseURL, key, content);
      for (const path of ["/overview", "/keys", "/points", "/usage", "/usage?group=model"]) {
        await page.goto(path);
        // The bottom bar, the balance and the table labels have a phone layout of their own.
        await assertAccessible(page, path, { isPhoneOwn: path === "/points" });
      }
      for (const place of [0, 1]) {
        await page
          .getByRole("region", { name: "Requests" })
          .getByRole("link", { name: /RelayV1/ })
          .nth(place)
          .click();
        await expect(page.getByRole("dialog", { name: "Request" })).toContainText(
          "What happened to the points",
        );
        await assertAccessible(page, "request");
        await page.keyboard.press("Escape");
      }
    });

    test("signed-in pages and dialogs are accessible and keep the content policy", {
      tag: size === "phone" ? "@core" : [],
    }, async ({ page, allowStatus }) => {
      allowStatus(404);
      await openPoints(page);
      await assertAccessible(page, "empty points page");
      await createKey(page, "production");
      await assertAccessible(page, "key shown once");
      await page.getByRole("button", { name: "I saved it" }).click();
      await page.getByRole("link", { name: "All keys and their limits" }).click();
      await expect(page.getByRole("row", { name: /production/ })).toBeVisible();
      await assertAccessible(page, "keys page");
      await page.getByRole("button", { name: "Actions for production" }).click();
      await page.getByRole("menuitem", { name: "Change limits" }).click();
      await page.getByText("Only some").click();
      await assertAccessible(page, "change limits");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "Actions for production" }).click();
      await page.getByRole("menuitem", { name: "Revoke" }).click();
      await assertAccessible(page, "revoke");
      await page.keyboard.press("Escape");
      await follow(page, "/points");
      await pointsPageIsAlive(page);
      await page.getByRole("button", { name: "Redeem a voucher" }).click();
      await page.getByRole("button", { name: "Add the points" }).click();
      await assertAccessible(page, "voucher");
      await page.keyboard.press("Escape");
      await page.getByRole("button", { name: "By dates" }).click();
      await assertAccessible(page, "statement by dates");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+k");
      await assertAccessible(page, "palette");
      await page.keyboard.press("Escape");
      await page.keyboard.press("?");
      await assertAccessible(page, "shortcuts");
      for (const path of [
        "/overview",
        ...inTurn(1, ["/usage", "/usage?group=key&days=30"]),
        "/tasks",
        "/tasks/nowhere",
        "/notifications",
        "/members",
        "/settings",
        ...inTurn(0, ["/pricing", "/models", "/docs"]),
      ]) {
        await visit(page, path);
        // On a phone the sign-out button is here.
        await assertAccessible(page, path, { isPhoneOwn: path === "/settings" });
      }
    });
  });
}

for (const [size, viewport] of Object.entries(sizes)) {
  test(`a signed-in page loads without a layout shift on a ${size}`, async ({ page, baseURL }) => {
    await page.setViewportSize(viewport);
    const key = await newKey(await signInAnew(page), "production");
    expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
    for (const path of ["/overview", "/usage", "/keys", "/points", "/tasks", "/settings"]) {
      await page.goto(path);
      await page.waitForLoadState("networkidle");
      const moved = await page.evaluate(
        () =>
          new Promise<number>((resolve) => {
            new PerformanceObserver((list) => {
              resolve(
                list
                  .getEntries()
                  .reduce(
                    (sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value,
                    0,
                  ),
              );
            }).observe({ type: "layout-shift", buffered: true });
            setTimeout(() => resolve(0), 500);
          }),
      );
      expect(moved, path).toBeLessThan(0.02);
    }
  });
}

test("a key can be created with the keyboard alone", { tag: "@core" }, async ({ page }) => {
  await page.goto("/signup");
  await page.getByLabel("Email").focus();
  await page.keyboard.type(`keys-${Date.now()}@example.com`);
  await page.keyboard.press("Tab");
  await page.keyboard.type(password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Points and top-up" })).toBeVisible();
  await pointsPageIsAlive(page);
  await page.keyboard.press("Tab");
  await expect(page.getByRole("link", { name: "Skip to content" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.locator("#content")).toBeFocused();
  await page.getByRole("button", { name: "Create a key" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("by keyboard");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("textbox", { name: "your key" })).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(page.getByRole("button", { name: "Copy your key" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("status").filter({ hasText: "Copied" })).toHaveCount(1);
  await page.getByRole("button", { name: "I saved it" }).focus();
  await page.keyboard.press("Enter");
  await expect(page.getByText("1 key spends this account’s points.")).toBeVisible();
});

test("a chosen language is kept; the browser's own is the default", { tag: "@core" }, async ({
  browser,
  baseURL,
}) => {
  const context = await browser.newContext({ baseURL: baseURL ?? "", locale: "zh-CN" });
  const page = await context.newPage();
  await page.goto("/pricing");
  await expect(page.locator("html")).toHaveAttribute("lang", "zh-CN");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("无需登录，价格一目了然。");
  await page.getByText("English").click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(
    "Every price, before you sign in.",
  );
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await context.close();
});

test("a chosen theme is kept", { tag: "@core" }, async ({ page }) => {
  await page.goto("/");
  await page.getByText("Dark", { exact: true }).click();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
});
