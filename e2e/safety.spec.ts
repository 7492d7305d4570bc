import { inTurn } from "@/testing/extent/extent";
import { chat, expect, newKey, openPoints, signInAnew, test } from "./product";
import { pathOf } from "./route-roles";

const corpus = [
  "<script>window.hurt=1</script>",
  '"><img src=x onerror=window.hurt=1>',
  "<svg/onload=window.hurt=1>",
  "javascript:window.hurt=1",
  "'-window.hurt=1-'",
  "{{constructor.constructor('window.hurt=1')()}}",
  "</title><script>window.hurt=1</script>",
  "<iframe srcdoc='<script>parent.hurt=1</script>'>",
];

test("key names are shown as text only", { tag: "@core" }, async ({ page, baseURL }) => {
  await signInAnew(page);
  const headers = { origin: baseURL ?? "" };
  for (const name of corpus) {
    const made = await page.request.post(pathOf("createKey"), { headers, data: { name } });
    expect(made.status(), name).toBe(201);
  }
  await page.goto("/keys");
  for (const name of corpus) await expect(page.getByText(name, { exact: true })).toBeVisible();
  for (const name of inTurn(1, corpus)) {
    await page.getByRole("button", { name: `Actions for ${name}`, exact: true }).click();
    await page.getByRole("menuitem", { name: "Revoke" }).click();
    await expect(page.getByRole("dialog")).toContainText(name);
    await page.keyboard.press("Escape");
  }
  expect(await page.evaluate(() => (window as { hurt?: number }).hurt)).toBeUndefined();
});

test("key names, session names and addresses are shown as text on the usage and settings pages too", async ({
  page,
  baseURL,
  allowStatus,
}) => {
  await page.context().setExtraHTTPHeaders({ "user-agent": corpus[0] ?? "" });
  const name = corpus[1] ?? "";
  const key = await newKey(await signInAnew(page), name);
  await chat(baseURL, key, corpus[2] ?? "");
  await page.goto("/usage?group=key");
  await expect(page.getByRole("region", { name: "Over time" })).toContainText(name);
  await page
    .getByRole("region", { name: "Requests" })
    .getByRole("link", { name: /RelayV1/ })
    .click();
  await expect(page.getByRole("dialog", { name: "Request" })).toContainText(name);
  await page.goto("/settings");
  await expect(page.getByRole("region", { name: "Sessions", exact: true })).toContainText(
    "Unknown browser",
  );
  allowStatus(400);
  allowStatus(404);
  const fields = ["zone", "model", "key", "request"];
  for (const [index, text] of corpus.entries()) {
    await page.goto(`/usage?${fields[index % fields.length]}=${encodeURIComponent(text)}`);
    await expect(page.getByRole("region", { name: "Requests", includeHidden: true })).toBeVisible();
  }
  expect(await page.evaluate(() => (window as { hurt?: number }).hurt)).toBeUndefined();
});

test("values from the URL are shown as text only", async ({ page, allowStatus }) => {
  allowStatus(404);
  for (const text of corpus) {
    const value = encodeURIComponent(text);
    for (const path of [
      `/login?error=${value}`,
      `/login?callbackUrl=${value}`,
      `/signup?callbackUrl=${value}`,
      `/nowhere/${value}`,
    ]) {
      await page.goto(path);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
  }
  expect(await page.evaluate(() => (window as { hurt?: number }).hurt)).toBeUndefined();
});

test("every page has a strict content security policy with its own nonce", {
  tag: "@core",
}, async ({ request }) => {
  const nonces = new Set<string>();
  const paths = [
    ...["/", "/pricing", "/login", "/signup", "/points", "/overview", "/usage"],
    ...["/notifications", "/members", "/settings", "/nowhere"],
  ];
  for (const path of paths) {
    const response = await request.get(path, { maxRedirects: 0 });
    const headers = response.headers();
    const policy = headers["content-security-policy"] ?? "";
    expect(policy, path).not.toMatch(/unsafe-inline|unsafe-eval|\*/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain("object-src 'none'");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
    expect(headers["x-powered-by"]).toBeUndefined();
    nonces.add(/'nonce-([^']+)'/.exec(policy)?.[1] ?? "");
  }
  expect(nonces.size).toBe(paths.length);
});

test("a write from another site is refused", { tag: "@core" }, async ({ page }) => {
  await signInAnew(page);
  const crossSite: Record<string, string>[] = [
    { origin: "https://example.org", "sec-fetch-site": "cross-site" },
    { origin: "null" },
  ];
  for (const headers of crossSite) {
    const response = await page.request.post(pathOf("createKey"), {
      headers,
      data: { name: "stolen" },
    });
    expect(response.status()).toBe(403);
  }
  const listed = await page.request.get(pathOf("listKeys"));
  expect(await listed.json()).toMatchObject({ keys: [] });
});

test("a failed load of the balance is shown with the request id, and can be retried", async ({
  page,
  allowStatus,
}) => {
  await openPoints(page);
  allowStatus(503);
  const body = {
    error: {
      message: "No database.",
      type: "upstream_error",
      param: null,
      code: "database_unavailable",
    },
  };
  await page.route(`**${pathOf("showMe")}`, (route) =>
    route.fulfill({ status: 503, headers: { "x-request-id": "req_seen" }, json: body }),
  );
  await page.reload();
  const failure = page.getByRole("alert").filter({ hasText: "req_seen" });
  await expect(failure).toContainText("The database cannot be reached", { timeout: 20_000 });
  await page.unroute(`**${pathOf("showMe")}`);
  await failure.getByRole("button", { name: "Try again" }).click();
  await expect(page.getByRole("region", { name: "Available points" })).toContainText(
    "1,000.000000",
  );
});
