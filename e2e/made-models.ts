/** An instance with models that an operator made from files, and a customer on one of its pages. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { file as series } from "@/testing/relay/image-series";
import { wholeVideo } from "@/testing/relay/whole-video";
import { test as base, beginSession, expect, newEmail, password, relayIn } from "./product";
import { type Served, serveInstance } from "./serve-product";

export const image = {
  id: "acme-image",
  family: "image",
  spec: { sizes: ["512x512", "768x512"], qualities: ["standard", "high"] },
  rates: ["512x512", "768x512"].flatMap((size, at) => [
    { unit: "image", size, quality: "standard", points: 8 + at },
    { unit: "image", size, quality: "high", points: 20 + at },
  ]),
};
export const video = {
  id: "acme-video",
  family: "video",
  spec: { durations: [8, 4, 12], resolutions: ["480p"], ratios: ["16:9"], last_frame: true },
  rates: [{ unit: "second", resolution: "480p", points: 5 }],
};

export const text = {
  id: "acme-text",
  family: "text",
  spec: { output_tokens_max: 4096 },
  rates: [
    { unit: "input_token", points: 40 },
    { unit: "output_token", points: 400 },
  ],
};

/** A command on the instance. */
export const relay = (served: Served, ...words: string[]) => relayIn(served.variables, ...words);

/** Each worker has its own. */
export const test = base.extend<object, { served: Served }>({
  served: [
    // biome-ignore lint/correctness/noEmptyPattern: the test runner reads the pattern
    async ({}, use, { parallelIndex }) => {
      const served = await serveInstance(`made-models-${parallelIndex}`);
      const folder = mkdtempSync(join(tmpdir(), "relay-models-"));
      for (const file of [image, video, wholeVideo, series, text]) {
        const from = join(folder, `${file.id}.json`);
        writeFileSync(from, JSON.stringify(file));
        await relay(served, "model", "create", "--from", from);
        await relay(served, "model", "offer", "--id", file.id, "--anyway", "for a test");
      }
      rmSync(folder, { recursive: true });
      await use(served);
      await served.stop();
    },
    { scope: "worker", timeout: 200_000 },
  ],
  baseURL: async ({ served }, use) => use(served.address),
});
export async function open(
  page: Page,
  served: Served,
  path: string,
  label = "Prompt",
): Promise<void> {
  const email = newEmail();
  const account = ["account", "create", "--email", email, "--password", password];
  await relay(served, ...account, "--points", "1000");
  await beginSession(page, email);
  await page.goto(path);
  await expect(page.getByLabel(label)).toBeVisible({ timeout: 20_000 });
}
