/** Runs the receiver of the webhooks' guide as its readers would. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { signatureHeaders } from "@/lib/callbacks/signature";
import { webhookReceiver } from "@/lib/docs/webhook-snippets";
import { newWebhookSecret } from "@/lib/notifications/webhook-secret";
import { freePort } from "@/testing/stage/listen";
import { newFolder } from "@/testing/unit/new-folder";

test.each(webhookReceiver)(
  "the receiver in $language accepts what is signed with its secret, and refuses forged and old events",
  async ({ code }) => {
    const folder = newFolder("webhook");
    symlinkSync(join(import.meta.dirname, "../node_modules"), join(folder, "node_modules"));
    writeFileSync(join(folder, "receiver.mjs"), code);
    const [port, secret] = [await freePort(), newWebhookSecret()];
    const receiver = spawn(process.execPath, [join(folder, "receiver.mjs")], {
      env: { ...process.env, PORT: String(port), RELAY_WEBHOOK_SECRET: secret },
    });
    const exited = once(receiver, "exit");
    let said = "";
    receiver.stdout.on("data", (part) => {
      said += part;
    });
    const body = JSON.stringify({ type: "balance.low", data: { available_points: "7.5" } });
    const now = Math.floor(Date.now() / 1000);
    const post = async (by: string, at: number, sent = body) => {
      const headers = signatureHeaders([by], "ntf_1", at, body);
      const address = `http://127.0.0.1:${port}/`;
      return (await fetch(address, { method: "POST", headers, body: sent })).status;
    };
    try {
      await expect.poll(() => post(secret, now).catch(() => 0), { timeout: 10_000 }).toBe(204);
      expect(await post(newWebhookSecret(), now)).toBe(400);
      expect(await post(secret, now - 600)).toBe(400);
      expect(await post(secret, now, body.replace("7.5", "9.5"))).toBe(400);
      expect(said.trim()).toBe('balance.low {"available_points":"7.5"}');
    } finally {
      receiver.kill();
      await exited;
    }
  },
  30_000,
);
