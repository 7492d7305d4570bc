/**
 * What the pages ask and offer in each role of a team. A page that is open asks for nothing that the
 * role does not include, leads to no page that it does not include, and has no control that would
 * be refused.
 */
import type { Browser, Locator, Page } from "@playwright/test";
import { keyEndpoints } from "@/lib/contract/api-keys";
import { pageNeeds } from "@/lib/contract/member-pages";
import { endsWithSuspension, may } from "@/lib/contract/member-roles";
import { memberEndpoints } from "@/lib/contract/members";
import { type PageName, pageEndpoints, permissionOf } from "@/lib/contract/page-endpoints";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import { settingsEndpoints } from "@/lib/contract/settings";
import { type MemberRole, memberRoles } from "@/lib/contract/states";
import { webhookEndpoints } from "@/lib/contract/webhooks";
import { isWhole } from "@/testing/extent/extent";
import { isReady } from "./fine";
import {
  beginSession,
  expect,
  makeAccount,
  newEmail,
  newKey,
  relayCommand,
  test,
  visit,
} from "./product";

/** Pages below those of the frame, each after the one that leads to it. */
const below: Readonly<Record<string, readonly string[]>> = {
  "/playground": ["/playground/video", "/playground/image"],
  "/docs": ["/docs/api/chat"],
  "/models": ["/models/relay-v1"],
};
const paths = Object.keys(pageNeeds).flatMap((path) => [path, ...(below[path] ?? [])]);
const rows = Object.entries(pageEndpoints).map(([name, { method, path }]) => ({
  name: name as PageName,
  method: method as string,
  pattern: new RegExp(`^${path.replace("{id}", "[^/]+")}$`),
}));

/** What a role needs to send this; null for anything that asks for no role. */
function neededFor(method: string, path: string) {
  if (path.startsWith(`${PLAYGROUND_PATH}/`)) return "order";
  const row = rows.find((each) => each.method === method && each.pattern.test(path));
  return row === undefined ? null : permissionOf(row.name);
}
const mayOpen = (role: MemberRole, path: string) => {
  const [, needs = null] =
    Object.entries(pageNeeds).find(([page]) => path === page || path.startsWith(`${page}/`)) ?? [];
  return needs === null || may(role, needs);
};

/** A team that has something of everything: `owner` is signed in on `page`. */
async function openTeam(page: Page, baseURL: string | undefined): Promise<string> {
  const owner = newEmail();
  await makeAccount(owner);
  const key = await newKey(owner, "of the owner");
  const model = { model: "RelayV1", messages: [{ role: "user", content: "Say hello." }] };
  const headers = { authorization: `Bearer ${key}` };
  const sent = await page.request.post("/v1/chat/completions", { headers, data: model });
  expect(sent.status()).toBe(200);
  await beginSession(page, owner);
  const post = async (path: string, data: object, method = "POST") => {
    const answer = await page.request.fetch(path, {
      method,
      data,
      headers: { origin: baseURL ?? "" },
    });
    expect(answer.status(), path).toBeLessThan(300);
  };
  const soon = new Date(Date.now() + 3_600_000).toISOString();
  await post(keyEndpoints.createKey.path, { name: "ends soon", expiresAt: soon });
  await post(settingsEndpoints.changeAccount.path, { lowBalanceNotice: "100000" }, "PATCH");
  const hook = { url: "https://example.com/hook", kinds: ["balance_low"] };
  await post(webhookEndpoints.createWebhook.path, hook);
  return owner;
}

/** Somebody of the team, in a browser of its own. */
async function join(browser: Browser, owner: Page, baseURL: string | undefined, role: MemberRole) {
  const headers = { origin: baseURL ?? "" };
  const data = { role, email: null };
  const made = await owner.request.post(memberEndpoints.inviteMember.path, { data, headers });
  const token = new URL((await made.json()).link).searchParams.get("token");
  const context = await browser.newContext({ baseURL: baseURL ?? "" });
  const page = await context.newPage();
  const email = newEmail();
  await makeAccount(email);
  await beginSession(page, email);
  const { path } = memberEndpoints.acceptInvitation;
  expect((await page.request.post(path, { data: { token }, headers })).status()).toBe(200);
  return page;
}

/** Records requests of a page that are refused for the role, or since the account is suspended. */
function watch(page: Page, role: MemberRole, isSuspended = false): string[] {
  const faults: string[] = [];
  page.on("request", (request) => {
    const method = request.method();
    const { pathname } = new URL(request.url());
    const needed = neededFor(method, pathname);
    const isRefused =
      needed !== null && (!may(role, needed) || (isSuspended && endsWithSuspension(needed)));
    if (isRefused) faults.push(`${role} on ${new URL(page.url()).pathname}: ${method} ${pathname}`);
  });
  return faults;
}

/** Notes the changes that a page asks for; lets none through. */
async function refuseChanges(page: Page): Promise<Set<string>> {
  const changes = new Set<string>();
  await page.route(/\/api\//, async (route) => {
    const method = route.request().method();
    const { pathname } = new URL(route.request().url());
    if (method === "GET" || pathname.endsWith("/quote")) return route.fallback();
    changes.add(`${method} ${pathname}`);
    const error = { message: "Not now.", code: "service_busy", param: null };
    return route.fulfill({ status: 503, json: { error } });
  });
  return changes;
}

const isDone = async (page: Page) => {
  await expect(page.locator("#content h1, #content h2").first()).toBeAttached();
  await isReady(page);
  await page.waitForLoadState("networkidle");
};

async function linksFrom(page: Page): Promise<string[]> {
  const links = page.locator("a[href^='/']");
  return links.evaluateAll((all) =>
    all.map((link) => new URL((link as HTMLAnchorElement).href).pathname),
  );
}

test("in no role does a page ask for what the role may not read, or lead to where it may not go", {
  tag: "@core",
}, async ({ page, browser, baseURL }) => {
  await openTeam(page, baseURL);
  const roles = isWhole ? memberRoles : (["developer"] as const);
  for (const role of roles) {
    const own = role === "owner" ? page : await join(browser, page, baseURL, role);
    const faults = watch(own, role);
    own.on("response", (answer) => {
      if (answer.status() === 403 || answer.status() === 409)
        faults.push(
          `${role} on ${new URL(own.url()).pathname}: ${answer.status()} ${answer.url()}`,
        );
    });
    for (const path of paths) {
      await visit(own, path);
      await isDone(own);
      expect(await own.getByText("does not allow this").count(), `${role} on ${path}`).toBe(0);
      if (!mayOpen(role, path))
        await expect(own.getByText("It does not include this page.")).toBeVisible();
      // The guides tell of every page.
      const isGuide = path.startsWith("/docs");
      const wrong = isGuide ? [] : (await linksFrom(own)).filter((link) => !mayOpen(role, link));
      if (wrong.length > 0) faults.push(`${role} on ${path}: leads to ${[...new Set(wrong)]}`);
    }
    expect(faults).toEqual([]);
    if (own !== page) await own.context().close();
  }
});

/** Fills in what a form of the open dialog wants, and sends it. */
async function sendForm(dialog: Locator): Promise<void> {
  for (const field of await dialog.getByRole("textbox").all()) {
    if (!(await field.isEditable()) || (await field.inputValue()) !== "") continue;
    await field.fill((await field.getAttribute("type")) === "email" ? "a@example.com" : "12");
  }
  const buttons = dialog.locator("button[type=submit], button:last-of-type");
  await buttons.last().click({ timeout: 2000 });
}

/**
 * The buttons in the page's content; of those with one name, such as in each row, the first. Not the one that
 * ends the session with which the others are pressed.
 */
async function namesOfButtons(page: Page): Promise<string[]> {
  const names = await page
    .locator("#content button:visible:enabled:not([role=radio], [role=tab])")
    .evaluateAll((all) => all.map((each) => each.ariaLabel ?? each.textContent ?? ""));
  const kinds = new Set(names.map((name) => name.replace(/\d.*/, "").trim()));
  return [...kinds].filter((name) => name !== "" && !name.startsWith("Sign out"));
}

/** Presses the button with this name in the page's content, and what then opens. */
async function press(page: Page, name: string): Promise<void> {
  const button = page.locator("#content").getByRole("button", { name }).first();
  await button.click({ timeout: 2000 });
  const menu = page.getByRole("menu");
  const dialog = page.getByRole("dialog");
  const items = (await menu.isVisible()) ? await menu.getByRole("menuitem").count() : 1;
  for (let item = 0; item < items; item++) {
    if (item > 0) await button.click({ timeout: 2000 });
    if (await menu.isVisible()) await menu.getByRole("menuitem").nth(item).click();
    if (await dialog.isVisible()) await sendForm(dialog);
    for (
      let keys = 0;
      keys < 3 && (await page.locator("[role=dialog], [role=menu]").count());
      keys++
    )
      await page.keyboard.press("Escape");
  }
}

test("in no role, and while the account is suspended, does a page offer what would be refused", async ({
  page,
  browser,
  baseURL,
  allowStatus,
}) => {
  allowStatus(503);
  const owner = await openTeam(page, baseURL);
  for (const role of ["developer", "viewer", "billing", "owner"] as const) {
    const isSuspended = role === "owner";
    const own = isSuspended ? page : await join(browser, page, baseURL, role);
    if (isSuspended)
      await relayCommand("account", "suspend", "--email", owner, "--reason", "a test");
    const faults = watch(own, role, isSuspended);
    const changes = await refuseChanges(own);
    for (const path of paths.filter((each) => mayOpen(role, each) && !each.startsWith("/docs"))) {
      await own.goto(path);
      await isDone(own);
      for (const name of await namesOfButtons(own)) {
        await press(own, name).catch(() => undefined);
        const isHere = new URL(own.url()).pathname === path;
        if (isHere && (await own.locator("[role=dialog], [role=menu]").count()) === 0) continue;
        await own.goto(path);
        await isDone(own);
      }
    }
    expect(faults).toEqual([]);
    // Buttons were really pressed: each role changes at least its own settings.
    expect(changes.size, `${role}: ${[...changes]}`).toBeGreaterThan(1);
    if (!isSuspended) await own.context().close();
  }
});
