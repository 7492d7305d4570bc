import type { Page } from "@playwright/test";
import { memberEndpoints } from "@/lib/contract/members";
import { PLAYGROUND_PATH } from "@/lib/contract/page-paths";
import type { Locale } from "@/messages/locales";
import { words } from "@/testing/cli/words";
import { extent } from "@/testing/extent/extent";
import { commandLine } from "@/testing/stage/command-line";
import { assertFits, assertTablesFit, isReady, sizes, widths } from "./fine";
import { inLanguage } from "./language";
import { newCustomer, signInAsOperator } from "./operator-desk";
import { movedOn } from "./page-weight";
import {
  beginSession,
  chat,
  expect,
  forgetSession,
  newEmail,
  productVariables,
  relayCommand,
  test,
} from "./product";
import { pagesOf } from "./route-roles";

const longName = "a rather long name, as people give them to things";
/** With a word that has no place to break. */
const longestName =
  "Donaudampfschifffahrtsgesellschaftskapitaen and all of his other long names here";
const languages = extent<readonly Locale[]>(["en"], ["en", "zh-CN"]);

/** Videos and images of the account that this browser is signed in with. */
async function makeResults(page: Page): Promise<void> {
  await page.evaluate(async (base) => {
    const send = (path: string, body: object) =>
      fetch(`${base}/v1${path}`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      });
    for (const model of ["super-relay-2", "super-relay-fast"]) {
      const content = [{ type: "text", text: "[[queue:600]] A heron" }];
      await send("/contents/generations/tasks", { model, content, resolution: "480p" });
    }
    await send("/images/generations", { model: "super-relay-img", prompt: "A fox" });
  }, PLAYGROUND_PATH);
}

async function fitsEverywhere(page: Page, paths: readonly string[]): Promise<void> {
  for (const language of languages) {
    await inLanguage(page, language);
    for (const path of paths) {
      await page.goto(path);
      await isReady(page);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        await assertFits(page, `${path} in ${language} at ${width}`);
        await assertTablesFit(page, `${path} in ${language} at ${width}`);
      }
    }
  }
  await inLanguage(page, "en");
}

test("no page of a person scrolls sideways between a phone and a desk, with data", async ({
  page,
  baseURL,
}) => {
  const { email, accountId, key } = await newCustomer(
    `a.mailbox.with.a.rather.long.name-${newEmail()}`,
  );
  const budgets = ["day=1234.5", "week=12345.5", "month=123456.5"].flatMap((each) => {
    const [period = "", points = ""] = each.split("=");
    return [`--${period}-budget-points`, points];
  });
  // In a process of its own: its messages are JSON, which this one takes only with its type.
  const relay = commandLine(productVariables());
  await relay("member", "budget", "--account", accountId, "--email", email, ...budgets);
  const limits = ["--budget", "123456.5", "--rpm", "1200", "--hourly-max", "50000"];
  const models = ["--models", "RelayV1,Super-Relay2.0Fast"];
  for (const name of [longName, longestName])
    await relayCommand("key", "create", "--email", email, "--name", name, ...models, ...limits);
  await relayCommand(
    ...words`account credit --email ${email} --points 7654321.5 --reason ${longName}`,
  );
  for (const content of ["Say hello.", "[[fail]]"]) await chat(baseURL, key, content);
  await beginSession(page, email);
  await page.goto("/points");
  await makeResults(page);
  await fitsEverywhere(page, [
    ...pagesOf("dashboard"),
    "/usage?group=model",
    "/docs",
    "/docs/api/chat",
    "/models",
    "/models/super-relay-2.5",
    "/pricing",
    "/",
  ]);
  await page.setViewportSize({ width: 820, height: 900 });
  for (const path of ["/tasks", "/usage"]) {
    await page.goto(path);
    if (path === "/usage")
      await page
        .getByRole("row", { name: /Super-Relay2/ })
        .first()
        .click();
    const figures = page.getByRole("list", { name: "Cost, step by step" }).locator("b");
    await expect(figures.first()).toBeVisible();
    const touching = await figures.evaluateAll(
      (all) => all.filter((each) => each.scrollWidth > each.clientWidth).length,
    );
    expect(touching, `figures that reach into the next on ${path}`).toBe(0);
  }
});

test("no page of the operators scrolls sideways between a phone and a desk, with data", async ({
  page,
}) => {
  const models = ["--models", "RelayV1=a-long-name-at-the-upstream,Super-Relay-Image=pictures"];
  const place = ["--protocol", "openai", "--base-url", "http://127.0.0.1:1/a/long/path"];
  const named = ["--name", `wide ${Date.now()}`, "--priority", "-9"];
  const { channel } = (await relayCommand(
    ...["channel", "create", ...named, ...place, ...models],
  )) as { channel: { id: string } };
  await relayCommand("channel", "disable", "--id", channel.id);
  await relayCommand("invite", "create", "--note", longName);
  await relayCommand("voucher", "create", "--points", "12345.678901", "--name", longName);
  const email = await signInAsOperator(page, "/points");
  await relayCommand(...words`account credit --email ${email} --points 5000 --reason ${longName}`);
  await makeResults(page);
  const more = ["/admin/models?new", "/admin/models/RelayV1"];
  await fitsEverywhere(page, [...pagesOf("operator"), ...more]);
  await relayCommand("channel", "remove", "--id", channel.id);
});

test("nothing moves while lists above other cards fill", async ({ page, baseURL }) => {
  let last = await newCustomer();
  for (let made = 0; made < 9; made++) last = await newCustomer();
  await chat(baseURL, last.key, "Say hello.");
  await beginSession(page, last.email);
  await page.goto("/points");
  await makeResults(page);
  // There is a filter by member where there are several.
  await page.route(`**${memberEndpoints.listMembers.path}`, async (route) => {
    const response = await route.fetch();
    const answer: { members: { id: string }[] } = await response.json();
    const members = answer.members.flatMap((each) => [each, { ...each, id: `${each.id}x` }]);
    await route.fulfill({ response, json: { ...answer, members } });
  });
  await page.goto("/usage");
  const opened = await page.locator("[data-row]").first().getAttribute("href");
  const paths = [
    "/usage?group=model",
    "/usage?group=key",
    opened ?? "",
    "/overview",
    "/keys",
    "/points",
    "/members",
  ];
  for (const size of [sizes.desktop, sizes.phone]) {
    await page.setViewportSize(size);
    for (const path of paths) {
      await page.goto(path);
      await isReady(page);
      expect(await movedOn(page), `${path} at ${size.width}`).toBeLessThanOrEqual(0.02);
    }
  }
  await page.setViewportSize(sizes.desktop);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await forgetSession(page);
  await signInAsOperator(page);
  for (const path of ["/admin", "/admin/accounts", "/admin/tasks", "/admin/packages"]) {
    await page.goto(path);
    await isReady(page);
    expect(await movedOn(page), path).toBeLessThanOrEqual(0.02);
  }
});
