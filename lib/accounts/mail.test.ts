import { afterEach, expect, test } from "vitest";
import { replaceBrandNames } from "../contract/brand";
import { mailServerOf } from "./mail";

afterEach(() => replaceBrandNames({ en: null, "zh-CN": null }));

const settings = { SMTP_URL: "smtp://x", SMTP_FROM: undefined, publicUrl: "https://a.example:8/x" };

test("mails come from the name that the installation has when they are sent, unless one is configured", () => {
  const server = mailServerOf(settings);
  expect(server?.from).toBe("Relay <no-reply@a.example>");
  for (const [en, shown] of [
    ["Star Bridge 2", "Star Bridge 2"],
    ["星桥", '"星桥"'],
    ['A "b" \\ <c@d.example>, e', '"A \\"b\\" \\\\ <c@d.example>, e"'],
  ] as const) {
    replaceBrandNames({ en, "zh-CN": null });
    expect(server?.from).toBe(`${shown} <no-reply@a.example>`);
  }
  expect(mailServerOf({ ...settings, SMTP_FROM: "b@c.example" })?.from).toBe("b@c.example");
  expect(mailServerOf({ ...settings, SMTP_URL: undefined })).toBeNull();
});
