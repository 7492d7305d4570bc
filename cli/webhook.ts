/** Commands about the addresses where an account's programs are told. */
import { redeliverWebhook, testWebhook } from "@/lib/commands/webhook-deliveries";
import {
  changeWebhook,
  createWebhook,
  pauseWebhook,
  removeWebhook,
  resumeWebhook,
  rotateWebhook,
} from "@/lib/commands/webhooks";
import { notificationKinds } from "@/lib/contract/states";
import { type WebhookView, webhookEndpoints } from "@/lib/contract/webhooks";
import { listDeliveries, listWebhooks, webhookView } from "@/lib/queries/webhooks";
import { ACCOUNT, accountNamed } from "./account-option";
import { allowedWords } from "./allowed-words";
import { actor, type Command, type Flags, type Report, UsageError } from "./command";
import type { OpenInstallation } from "./open";
import { table } from "./table";

const view = ({ id, url, kinds, createdAt, failingSince, pausedAt }: WebhookView) => ({
  id,
  url,
  kinds,
  created_at: createdAt,
  failing_since: failingSince,
  paused_at: pausedAt,
});
const textOf = (webhooks: readonly ReturnType<typeof view>[]) =>
  table(webhooks.map((webhook) => ({ ...webhook, kinds: webhook.kinds.join(",") })));

function reportOf(webhook: WebhookView, secret?: string): Report {
  const shown = view(webhook);
  if (secret === undefined) return { json: { webhook: shown }, text: textOf([shown]) };
  return {
    json: { webhook: shown, secret },
    text: `${textOf([shown])}\n\n${secret}\nStore this secret now: it is not shown again.`,
  };
}

const kindsIn = (flags: Flags) => allowedWords(flags, "kinds", notificationKinds);

/** Held to the rules of the page. */
function urlIn(flags: Flags): string | undefined {
  const url = flags.optional("url") ?? undefined;
  const { error } = webhookEndpoints.changeWebhook.body.safeParse({ url: url ?? "https://a.b" });
  if (error) throw new UsageError(`--url ${url} is not a web address`);
  return url;
}

async function named(installation: OpenInstallation, flags: Flags) {
  return { id: flags.text("id"), accountId: await accountNamed(installation, flags) };
}

const NAMED = `--id W ${ACCOUNT}`;
const ofOne = { id: "string", account: "string" } as const;

const list: Command = {
  usage: ACCOUNT,
  options: { account: "string" },
  async run(installation, flags) {
    const found = await listWebhooks(installation, await accountNamed(installation, flags));
    const webhooks = found.map(view);
    return { json: { webhooks }, text: textOf(webhooks) };
  },
};

const create: Command = {
  usage: `--url U --kinds K,… ${ACCOUNT}`,
  options: { account: "string", url: "string", kinds: "string" },
  async run(installation, flags) {
    flags.text("url");
    flags.text("kinds");
    const deps = { database: installation.database, secrets: installation.secrets() };
    const { webhook, secret } = await createWebhook(deps, actor, {
      accountId: await accountNamed(installation, flags),
      url: urlIn(flags) ?? "",
      kinds: kindsIn(flags) ?? [],
    });
    return reportOf(webhookView(webhook), secret);
  },
};

const change: Command = {
  usage: `[--url U] [--kinds K,…] ${NAMED}`,
  options: { ...ofOne, url: "string", kinds: "string" },
  async run(installation, flags) {
    const wanted = { url: urlIn(flags), kinds: kindsIn(flags) };
    const webhook = await changeWebhook(installation, actor, {
      ...(await named(installation, flags)),
      ...wanted,
    });
    return reportOf(webhookView(webhook));
  },
};

const turned = (turn: typeof pauseWebhook): Command => ({
  usage: NAMED,
  options: ofOne,
  run: async (installation, flags) =>
    reportOf(webhookView(await turn(installation, actor, await named(installation, flags)))),
});

const rotate: Command = {
  usage: `${NAMED}; what is sent in the next 24 hours is signed with the old secret too`,
  options: ofOne,
  async run(installation, flags) {
    const deps = { database: installation.database, secrets: installation.secrets() };
    const made = await rotateWebhook(deps, actor, await named(installation, flags));
    return reportOf(webhookView(made.webhook), made.secret);
  },
};

const done = (
  usage: string,
  text: string,
  work: (installation: OpenInstallation, flags: Flags) => Promise<void>,
): Command => ({
  usage,
  options: ofOne,
  async run(installation, flags) {
    await work(installation, flags);
    return { json: { done: true }, text };
  },
});

const deliveries: Command = {
  usage: NAMED,
  options: ofOne,
  async run(installation, flags) {
    const found = await listDeliveries(installation, await named(installation, flags));
    const rows = found.map(({ createdAt, lastAnswer, ...row }) => ({
      ...row,
      created_at: createdAt,
      last_answer: lastAnswer,
    }));
    return { json: { deliveries: rows }, text: table(rows) };
  },
};

export const webhookCommands = {
  list,
  create,
  change,
  pause: turned(pauseWebhook),
  resume: turned(resumeWebhook),
  rotate,
  remove: done(NAMED, "The webhook is removed, with its log.", async (installation, flags) =>
    removeWebhook(installation, actor, await named(installation, flags)),
  ),
  test: done(NAMED, "A test will be sent by a server.", async (installation, flags) =>
    testWebhook(installation, await named(installation, flags)),
  ),
  deliveries,
  redeliver: done(
    `--id D ${ACCOUNT}; D: a delivery`,
    "The delivery will be sent again by a server.",
    async (installation, flags) => redeliverWebhook(installation, await named(installation, flags)),
  ),
} satisfies Record<string, Command>;
