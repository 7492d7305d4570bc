import { shortPoints } from "@/lib/client/points-display";
import { signInAsOperator } from "./operator-desk";
import { chat, expect, newKey, signInAnew, test } from "./product";

test("the chart, its legend and its table show the same sum by model, family and key", {
  tag: ["@core", "@phone"],
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "charted");
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await page.goto("/usage");
  const card = page.getByRole("region", { name: "Over time" });
  const days = card.getByRole("group", { name: "Points by day" });
  await expect(days.getByRole("button")).toHaveCount(7);
  await days.getByRole("button").last().focus();
  await page.keyboard.press("Home");
  await expect(days.getByRole("button").first()).toBeFocused();
  await page.keyboard.press("End");
  const today = days.getByRole("button").last();
  await expect(today).toBeFocused();
  const [, exact = "none"] =
    /: ([\d.,]+) points, 1 request/.exec((await today.getAttribute("aria-label")) ?? "") ?? [];
  expect(exact).not.toBe("0.000000");
  const short = shortPoints(exact.replaceAll(",", ""));
  for (const [group, name] of [
    ["Model", "RelayV1"],
    ["Family", "Text"],
    ["Key", "charted"],
  ] as const) {
    await card.getByText(group, { exact: true }).click();
    await expect(card.getByRole("list", { name: /whole range/ })).toContainText(`${name}${short}`);
  }
  await expect(page).toHaveURL(/group=key/);
  await card.getByText("As a table").click();
  await expect(card.getByRole("row")).toHaveCount(8);
  await expect(card.getByRole("row").nth(1)).toContainText(short);
});

test("a day chosen in the chart, by keyboard or in its table, filters the requests", {
  tag: "@phone",
}, async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "charted");
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await page.goto("/usage?zone=UTC");
  const card = page.getByRole("region", { name: "Over time" });
  const rows = page.getByRole("region", { name: "Requests" }).getByRole("row", { name: /RelayV1/ });
  await expect(rows).toHaveCount(1);
  const days = card.getByRole("group", { name: "Points by day" });
  await days.getByRole("button").last().focus();
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/day=\d{4}-\d\d-\d\d/);
  await expect(rows).toHaveCount(0);
  await expect(days.getByRole("button")).toHaveCount(7);
  await page.getByRole("button", { name: /show all days/ }).click();
  await expect(rows).toHaveCount(1);
  await card.getByText("As a table").click();
  await card.getByRole("row").nth(1).getByRole("button").click();
  await expect(rows).toHaveCount(1);
  await expect(days.getByRole("button").last()).toHaveAttribute("aria-pressed", "true");
  await page.goBack();
  await expect(page).not.toHaveURL(/day=/);
});

test("the chart measures requests, tokens and times too", async ({ page, baseURL }) => {
  const key = await newKey(await signInAnew(page), "measured");
  for (const content of ["Say hello.", "Say hello."]) await chat(baseURL, key, content);
  for (const [measure, said] of [
    ["requests", /2 requests/],
    ["tokens", /\d+ tokens/],
    ["latency", /RelayV1 \d+(\.\d)? m?s/],
    ["firstToken", /nothing measured/],
  ] as const) {
    await page.goto(`/usage?measure=${measure}`);
    const today = page
      .getByRole("region", { name: "Over time" })
      .getByRole("group", { name: /by day/ })
      .getByRole("button")
      .last();
    await expect(today).toHaveAttribute("aria-label", said);
  }
});

test("the values of a column are beside it, at its other side where the chart ends", async ({
  page,
  baseURL,
}) => {
  const key = await newKey(await signInAnew(page), "beside");
  expect((await chat(baseURL, key, "Say hello.")).status).toBe(200);
  await page.goto("/usage?days=30&zone=UTC");
  const card = page.getByRole("region", { name: "Over time" });
  const days = card.getByRole("group", { name: "Points by day" }).getByRole("button");
  await expect(days).toHaveCount(30);
  await expect(card).toContainText("the 30 days before: 0");
  const tip = card.locator("[data-tip]");
  for (const at of [0, 12, 29]) {
    await days.nth(at).hover();
    await expect(tip).toBeVisible();
    const [column, beside] = [await days.nth(at).boundingBox(), await tip.boundingBox()];
    if (column === null || beside === null) throw new Error("nothing is drawn");
    const isRight = beside.x >= column.x + column.width;
    const apart = isRight ? beside.x - column.x - column.width : column.x - beside.x - beside.width;
    expect(Math.abs(apart - 8), `the tip of day ${at}`).toBeLessThanOrEqual(2);
    expect(isRight, `the side of day ${at}`).toBe(at < 20);
  }
});

test("the columns of the operators' chart of money are read with the keyboard", async ({
  page,
}) => {
  await signInAsOperator(page, "/admin/money");
  const chart = page.getByRole("slider", { name: /by day/ });
  await chart.focus();
  const last = await chart.getAttribute("aria-valuetext");
  await page.keyboard.press("ArrowLeft");
  await expect(chart).not.toHaveAttribute("aria-valuetext", last ?? "");
  await page.keyboard.press("Home");
  await expect(chart).toHaveAttribute("aria-valuenow", "1");
});
