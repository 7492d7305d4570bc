import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openTestCommands } from "@/testing/cli/commands";
import { words } from "@/testing/cli/words";
import { newFolder } from "@/testing/unit/new-folder";
import { opened } from "@/testing/unit/opened";

const commands = await opened(openTestCommands());

test("settings are set and unset, and a notice is posted and ended, on the command line", async () => {
  const { settings } = await commands.json("setting set --name welcome_points --value 7");
  expect(settings).toContainEqual({
    name: "welcome_points",
    value: "7",
    source: "here",
    otherwise: "1000",
  });
  const made = await commands.json(
    "account create --email seven@example.com --password",
    "correct horse battery",
  );
  expect(made.account.available_points).toBe(7);
  expect((await commands.json("setting unset --name welcome_points")).settings[1]).toMatchObject({
    value: "1000",
    source: "default",
  });
  const words = ["--text-en", "Hello", "--text-zh", "你好", "--level", "warning"];
  const { data } = await commands.json("notice post", ...words);
  const posted = { text_en: "Hello", text_zh: "你好", level: "warning", ends_at: null };
  expect(data).toMatchObject([posted]);
  const ended = { data: [{ ends_at: expect.any(Number), state: "ended" }] };
  expect(await commands.json("notice end --id", data[0].id)).toMatchObject(ended);
  expect(await commands.json("notice list")).toMatchObject(ended);
}, 60_000);

test("an incident is opened and resolved, and the status page is shown, on the command line", async () => {
  const opened = await commands.json(
    ...words`incident open --title-en Slow --text-en ${"We look into it."} --models`,
    ...["relay-v1,super-relay", "--began-at", "2026-11-01"],
  );
  expect(opened.incidents).toMatchObject([
    { title_en: "Slow", title_zh: null, began_at: 1_793_491_200, resolved_at: null },
  ]);
  const [{ id }] = opened.incidents;
  const resolved = await commands.json(
    ...words`incident update --id ${id} --state resolved --text-zh 已解决`,
  );
  expect(resolved.incidents[0].updates).toMatchObject([
    { number: 2, state: "resolved", text_en: null, text_zh: "已解决" },
    { number: 1, state: "investigating" },
  ]);
  expect((await commands.json("incident list")).incidents).toHaveLength(1);
  const set = ["setting", "set", "--name", "status_page", "--value"];
  expect((await commands.json(...set, "everyone")).settings).toContainEqual({
    name: "status_page",
    value: "everyone",
    source: "here",
    otherwise: "operators",
  });
  expect((await commands.relay(...set, "nobody")).err).toContain("operators or everyone");
});

test("vouchers are created in batches and cancelled, packages are priced, payments listed, and the money shown", async () => {
  const { batch, vouchers } = await commands.json(
    "voucher create --name Spring --points 5 --count 2",
  );
  expect(vouchers).toHaveLength(2);
  expect((await commands.json("voucher list")).data).toMatchObject(
    expect.arrayContaining([expect.objectContaining({ id: batch, name: "Spring", left: 2 })]),
  );
  expect(await commands.json("voucher cancel --id", batch)).toEqual({ cancelled: 2 });
  expect((await commands.json("voucher show --id", batch)).data).toMatchObject([
    { state: "cancelled" },
    { state: "cancelled" },
  ]);
  const made = await commands.json(
    "package create --name Small --points 100 --amount 999 --currency eur",
  );
  const { id } = made.package;
  expect(
    (await commands.json("package change --id", id, "--amount", "1099", "--is-enabled", "no"))
      .package,
  ).toMatchObject({ amount: 1099, is_enabled: false });
  expect((await commands.json("package list")).packages).toMatchObject([{ id, currency: "eur" }]);
  const page = { object: "list", data: [], has_more: false, last_id: null };
  expect(await commands.json("payment list --attention open")).toEqual(page);
  expect(await commands.json("payment sweep")).toEqual({ taken: 0 });
  expect((await commands.relay("payment attend --id pay_none")).code).toBe(1);
  expect(await commands.json("ledger audit")).toMatchObject({ ok: true });
  expect(await commands.json("money --days 7")).toMatchObject({
    revenue: [],
    audit: { isClean: true, actor: "cli" },
  });
}, 120_000);

test("the value of a setting comes from a file: Markdown as it is, an image as a data URL", async () => {
  const folder = newFolder("setting");
  const put = (name: string, text: string) => {
    writeFileSync(join(folder, name), text);
    return join(folder, name);
  };
  const set = (name: string, file: string) =>
    commands.json("setting set --name", name, "--file", file);
  const settingIn = ({ settings }: { settings: { name: string; value: string }[] }, name: string) =>
    settings.find((each) => each.name === name)?.value;
  try {
    const terms = put("terms.md", "# Terms\n\nPay.\n");
    expect(settingIn(await set("terms_en", terms), "terms_en")).toBe("# Terms\n\nPay.");
    const logo = put("l.svg", '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 1"/>');
    expect(settingIn(await set("brand_logo", logo), "brand_logo")).toMatch(
      /^data:image\/svg\+xml;base64,PHN2/,
    );
    const refused = (...words: string[]) => commands.relay("setting set --name terms_en", ...words);
    const long = await refused("--file", put("long.md", "x".repeat(65_537)));
    expect([long.code, long.err]).toEqual([2, expect.stringContaining("65536 bytes")]);
    const none = await refused("--file", join(folder, "none.md"));
    expect([none.code, none.err]).toEqual([2, expect.stringContaining("cannot be read")]);
    const neither = await refused();
    expect(neither.err).toContain("either --value or --file");
  } finally {
    rmSync(folder, { recursive: true });
  }
});
