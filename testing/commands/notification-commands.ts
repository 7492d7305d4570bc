/** The commands about notifications and webhooks, each with the state it needs. */
import { chooseNotifications } from "@/lib/commands/notifications";
import { pauseFailingWebhook } from "@/lib/commands/webhook-deliveries";
import * as webhooks from "@/lib/commands/webhooks";
import type { SiteProcess } from "@/testing/pages-api/site-process";
import { actor, type BrokenOffCommand, commandOn, newUser, prepared, type TestDeps } from "./seed";

const endpoint = { url: "https://example.com/hook", kinds: ["balance_low"] } as const;

async function newWebhook(site: SiteProcess) {
  const { accountId } = await newUser(site);
  const { webhook } = await webhooks.createWebhook(site.deps, actor, { ...endpoint, accountId });
  return { id: webhook.id, accountId };
}

const own = (
  action: BrokenOffCommand["action"],
  run: (deps: TestDeps, named: webhooks.NamedWebhook) => Promise<unknown>,
): BrokenOffCommand => ({
  action,
  async prepare(site) {
    const named = await newWebhook(site);
    return (deps) => run(deps, named);
  },
});

export const notificationCommands: readonly BrokenOffCommand[] = [
  prepared("notification.choose", async (site) => {
    const user = await newUser(site);
    const mails = [{ kind: "task_finished", byMail: true }] as const;
    const choice = { ...user, locale: "en", mails, lowBalanceDays: 9 } as const;
    return (deps) => chooseNotifications(deps, user.userId, choice);
  }),
  commandOn("webhook.create", newUser, (deps, { accountId }) =>
    webhooks.createWebhook(deps, actor, { ...endpoint, accountId }),
  ),
  own("webhook.change", (deps, named) =>
    webhooks.changeWebhook(deps, actor, { ...named, kinds: ["key_paused"] }),
  ),
  own("webhook.rotate", (deps, named) => webhooks.rotateWebhook(deps, actor, named)),
  own("webhook.pause", (deps, named) => webhooks.pauseWebhook(deps, actor, named)),
  own("webhook.remove", (deps, named) => webhooks.removeWebhook(deps, actor, named)),
  commandOn(
    "webhook.pause",
    newWebhook,
    (deps, { id }) => pauseFailingWebhook(deps, "system", { id }),
    { what: "after failures" },
  ),
  prepared("webhook.resume", async (site) => {
    const named = await newWebhook(site);
    await webhooks.pauseWebhook(site.deps, actor, named);
    return (deps) => webhooks.resumeWebhook(deps, actor, named);
  }),
];
