import { randomBytes } from "node:crypto";
import { test as base, expect, type Page } from "@playwright/test";
import { AUTH_PATH } from "@/lib/contract/page-paths";
import { runInProcess } from "@/testing/cli/commands";
import { keptInstallation } from "@/testing/cli/installations";
import { isCore } from "@/testing/extent/extent";
import { type Neighbours, withNeighbours } from "./neighbours";

export { expect };

export const password = "correct horse battery";

export function newEmail(): string {
  return `ada-${randomBytes(6).toString("hex")}@example.com`;
}

/**
 * Until its scripts run, a click on a page does nothing. Documents without scripts of the product
 * are alive at once.
 */
async function pageIsAlive(page: Page): Promise<void> {
  const isAlive = () => {
    if (document.querySelector('script[src*="/_next/"]') === null) return true;
    // React marks the elements that it has taken over.
    const names = Object.keys(document.querySelector("main") ?? document.body);
    return names.some((name) => name.startsWith("__react"));
  };
  await page.waitForFunction(isAlive, undefined, { timeout: 60_000 });
}

interface Fixtures {
  /** Allows failed loads with this status, where a page is expected to be refused something. */
  allowStatus: (status: number) => void;
}

interface WorkerFixtures {
  /** Started for the first test of a worker that asks for it. */
  neighbours: Neighbours;
}

/**
 * Every test fails on problems that the browser reports: script errors, blocked content, failed
 * hydration, unexpected error responses.
 */
export const test = base.extend<Fixtures, WorkerFixtures>({
  neighbours: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => withNeighbours(use),
    { scope: "worker", timeout: 180_000 },
  ],
  page: async ({ page }, use) => {
    const goto = page.goto.bind(page);
    page.goto = async (...asked) => {
      const response = await goto(...asked);
      // Who names an event wants the page as it is then.
      if (asked[1]?.waitUntil === undefined) await pageIsAlive(page);
      return response;
    };
    await use(page);
  },
  // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
  baseURL: async ({}, use) => use(process.env.E2E_BASE_URL),
  allowStatus: [
    async ({ page }, use) => {
      const problems: string[] = [];
      const allowed = new Set<number>();
      page.on("pageerror", (error) => problems.push(`script error: ${error.message}`));
      page.on("console", (message) => {
        if (message.type() !== "error" && message.type() !== "warning") return;
        const status = Number(/status of (\d{3})/.exec(message.text())?.[1]);
        if (!allowed.has(status)) problems.push(`${message.type()}: ${message.text()}`);
      });
      await page.addInitScript(() => {
        document.addEventListener("securitypolicyviolation", (event) =>
          console.error(
            `content security policy: ${event.violatedDirective} ${event.blockedURI} ${event.sample}`,
          ),
        );
      });
      await use((status) => allowed.add(status));
      expect(problems).toEqual([]);
    },
    { auto: true },
  ],
});

/**
 * Opens `path` by a link of the open page, in sight or not. The document stays, so this takes the
 * browser and the product a part of what `goto` takes.
 */
export async function follow(page: Page, path: string): Promise<void> {
  const link = page.locator(`a[href="${path}"]`).first();
  await link.evaluate((element: HTMLElement) => element.click());
  await expect(page).toHaveURL(path);
}

/** Opens `path`; in the core by a link, where the open page has one. */
export async function visit(page: Page, path: string): Promise<void> {
  const isLinked = isCore && (await page.locator(`a[href="${path}"]`).count()) > 0;
  await (isLinked ? follow(page, path) : page.goto(path));
}

/** Until the balance is shown the page is not hydrated, and a click might do nothing. */
export async function pointsPageIsAlive(page: Page): Promise<void> {
  await expect(page.getByRole("region", { name: "Available points" })).toContainText(/\d/, {
    timeout: 20_000,
  });
}

/** Creates an account on the sign-up page and waits for the points page. */
export async function signUp(page: Page, email = newEmail()): Promise<string> {
  await page.goto("/signup");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Create account" }).click();
  await pointsPageIsAlive(page);
  return email;
}

export async function fillInLogin(page: Page, email: string): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Creates an account with points on the command line. */
export async function makeAccount(email: string): Promise<void> {
  const words = ["account", "create", "--email", email, "--password", password];
  await relayCommand(...words, "--points", "1000");
}

/**
 * Signs this browser in by the request that the login page sends. `sign-in.spec.ts` tests the page
 * itself.
 */
export async function beginSession(page: Page, email: string): Promise<void> {
  const { csrfToken } = await (await page.request.get(`${AUTH_PATH}/csrf`)).json();
  const form = { csrfToken, email, password, json: "true" };
  await page.request.post(`${AUTH_PATH}/callback/credentials`, { form });
  const cookies = await page.context().cookies();
  expect(cookies.map(({ name }) => name)).toContain("relay-session");
}

/**
 * Creates an account on the command line and signs in, without a page. Sign-ups are limited per
 * network address and all tests share one, so tests that are not about sign-up use this.
 */
export async function signInAnew(page: Page, email = newEmail()): Promise<string> {
  await makeAccount(email);
  await beginSession(page, email);
  return email;
}

/** Opens the points page of an account of its own. */
export async function openPoints(page: Page): Promise<string> {
  const email = await signInAnew(page);
  await page.goto("/points");
  await pointsPageIsAlive(page);
  return email;
}

/** Opens the page of the keys of an account of its own, once they are read. */
export async function openKeys(page: Page): Promise<string> {
  const email = await signInAnew(page);
  await page.goto("/keys");
  await expect(page.getByText("No keys yet.")).toBeVisible({ timeout: 20_000 });
  return email;
}

/** Creates a key on the command line. */
export async function newKey(email: string, name: string): Promise<string> {
  const words = ["key", "create", "--email", email, "--name", name];
  return (await relayIn<{ secret: string }>(productVariables(), ...words)).secret;
}

/**
 * Ends the session in this browser. Leaves the page first, since an open page would notice and go
 * to the login page by itself.
 */
export async function forgetSession(page: Page): Promise<void> {
  await page.goto("about:blank");
  await page.context().clearCookies();
}

/** Signs out with the page's button: in the header, on a phone in the settings. */
export async function signOut(page: Page): Promise<void> {
  if ((page.viewportSize()?.width ?? 0) < 768) await follow(page, "/settings");
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Creates a key through its dialog, and leaves the dialog open with the key in it. */
export async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole("button", { name: "Create a key" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Create a key" }).click();
  return dialog.getByRole("textbox", { name: "your key" }).inputValue();
}

/** What the command line needs to work on the instance of the tests that name none. */
export const productVariables = (): Readonly<Record<string, string>> =>
  JSON.parse(process.env.E2E_VARIABLES ?? "{}");

/** Runs the product's command line on the same data, in this process. */
export const relayCommand = (...words: string[]): Promise<unknown> =>
  relayIn(productVariables(), ...words);

/** Runs the command line with these variables, on another instance's data. */
export async function relayIn<T>(
  variables: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<T> {
  const environment = { ...process.env, ...variables };
  const { code, out, err } = await runInProcess([...words, "--json"], {
    environment,
    open: keptInstallation,
  });
  if (code !== 0)
    throw new Error(`relay ${words.slice(0, 2).join(" ")} ended with ${code}: ${err}`);
  return JSON.parse(out);
}

export function chat(baseUrl: string | undefined, key: string, content: string): Promise<Response> {
  return fetch(`${baseUrl}/v1/chat/completions`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify({ model: "RelayV1", messages: [{ role: "user", content }] }),
  });
}
