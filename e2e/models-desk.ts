/** Two processes over one database with a sandbox as the upstream, and an operator at their pages. */
import type { Page } from "@playwright/test";
import type { Sandbox } from "@/lib/sandbox/sandbox";
import { startQuickSandbox } from "@/testing/sandbox/quick-sandbox";
import { test as base, beginSession, expect, newEmail, password, relayIn } from "./product";
import { newDatabase, type Served, serveInstance } from "./serve-product";

export interface Site {
  readonly processes: readonly [Served, Served];
  readonly sandbox: Sandbox;
  relay(...words: string[]): Promise<{ secret: string }>;
}

export const test = base.extend<object, { site: Site }>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use) => {
      const { variables, drop } = await newDatabase();
      const sandbox = await startQuickSandbox();
      const settings = {
        RELAY_SECRET: "a secret of at least 32 characters",
        RELAY_SANDBOX: "off",
      };
      const one = await serveInstance("models-one", settings, variables);
      const other = await serveInstance("models-other", settings, variables);
      const relay: Site["relay"] = (...words) => relayIn(one.variables, ...words);
      await use({ processes: [one, other], sandbox, relay });
      await Promise.all([one.stop(), other.stop()]);
      await sandbox.close();
      await drop();
    },
    { scope: "worker", timeout: 300_000 },
  ],
  baseURL: async ({ site }, use) => use(site.processes[0].address),
});
export async function signIn(page: Page, site: Site, path: string): Promise<void> {
  const email = newEmail();
  await site.relay("account", "create", "--email", email, "--password", password, "--operator");
  await beginSession(page, email);
  await page.goto(path);
}

export async function customerKey(site: Site): Promise<string> {
  const email = newEmail();
  const account = ["account", "create", "--email", email, "--password", password];
  await site.relay(...account, "--points", "1000");
  return (await site.relay("key", "create", "--email", email, "--name", "one")).secret;
}

export async function post(address: string, key: string, path: string, body: object) {
  const answer = await fetch(address + path, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  const { error } = await answer.json();
  return [answer.status, answer.headers.get("x-relay-points"), error?.code ?? null];
}

/** 200 once the process has the model on offer. */
export async function modelStatus(address: string, key: string, model: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  return (await fetch(`${address}/v1/models/${encodeURIComponent(model)}`, { headers })).status;
}

/** The channel that all models of these tests are mapped to. */
export async function addChannel(page: Page, site: Site): Promise<void> {
  const { baseUrl, apiKey } = site.sandbox.channel;
  await page.goto("/admin/channels");
  await page.getByRole("button", { name: "Add a channel" }).first().click();
  const form = page.getByRole("dialog");
  await form.getByLabel("Name").fill("Acme");
  await form.getByLabel("Protocol").selectOption("ark");
  await form.getByLabel("Base URL").fill(baseUrl);
  await form.getByLabel("API key").fill(apiKey ?? "");
  await form.getByLabel("RelayV1").check();
  await form.getByLabel("The upstream’s name for RelayV1").fill("sandbox-relay-v1");
  await form.getByRole("button", { name: "Add a channel" }).click();
  await expect(page.getByRole("row", { name: /Acme/ })).toContainText("active");
}

/** A rate as it is typed. */
export interface Typed {
  readonly unit: string;
  readonly points: string;
  readonly quality?: string;
  readonly from?: string;
  readonly hours?: string;
}

/** Fills in the table of rates, from its first row on. */
export async function fillRates(page: Page, rates: readonly Typed[]): Promise<void> {
  const table = page.getByRole("group", { name: "Rates" });
  for (const [at, { unit, points, quality, from, hours }] of rates.entries()) {
    const number = at + 1;
    if ((await table.getByLabel(`Unit of rate ${number}`).count()) === 0)
      await table.getByRole("button", { name: "Add a rate" }).click();
    await table.getByLabel(`Unit of rate ${number}`).selectOption(unit);
    await table.getByLabel(`Points, rate ${number}`).fill(points);
    if (quality) await table.getByLabel(`Quality, rate ${number}`).fill(quality);
    if (from) await table.getByLabel(`Input from, rate ${number}`).fill(from);
    if (hours) await table.getByLabel(`Hours (UTC), rate ${number}`).fill(hours);
  }
}
