/** What a notification says to a person, in a mail and on the page. */
import { createTranslator } from "next-intl";
import type { z } from "zod";
import en from "@/messages/en.json";
import type { Locale } from "@/messages/locales";
import chinese from "@/messages/zh-CN.json";
import type { Mail } from "../accounts/mail";
import { dataOf } from "../contract/notification-data";
import type { NotificationKind } from "../contract/states";
import { listText } from "../values/list-text";
import { utcMinute } from "../values/utc-minute";
import { pathOf } from "./notification-paths";

type Texts = Pick<typeof en, "told">;
const texts: Readonly<Record<Locale, Texts>> = { en, "zh-CN": chinese };

/** A sentence names fewer than the notification holds. */
const NAMED_MAX = 10;

const say = (locale: Locale) =>
  createTranslator({ locale, messages: { told: texts[locale].told }, namespace: "told" });
type Say = ReturnType<typeof say>;

/** `more`: how many there are besides `items`. */
function listed(t: Say, locale: Locale, items: readonly string[], more = 0): string {
  const between = locale === "en" ? "; " : "；";
  const named = items.slice(0, NAMED_MAX);
  const count = items.length - named.length + more;
  return [...named, ...(count > 0 ? [t("and", { count })] : [])].join(between);
}

type PriceChange = z.infer<typeof dataOf.price_change>["models"][number];

/** Only what differs. */
function changesOf(
  t: Say,
  { from, to, other_rates }: Pick<PriceChange, "from" | "to" | "other_rates">,
) {
  const told = (["input", "output"] as const).flatMap((part) => {
    const [before, after] = [Number(from[`${part}_points`]), Number(to[`${part}_points`])];
    return before === after ? [] : [t(`price.${part}`, { from: before, to: after })];
  });
  return other_rates ? [...told, t("price.others")] : told;
}

type Tell = (t: Say, data: unknown, locale: Locale) => string;

const tellTrouble =
  (kind: "channel_down" | "credential_refused" | "upstream_balance"): Tell =>
  (t, data) => {
    const { error, since, ...place } = dataOf[kind].parse(data);
    return t(`text.${kind}`, { place: placeWords(place), error, since: utcMinute(since) });
  };

const tellAmount =
  (kind: "upstream_low" | "upstream_refilled"): Tell =>
  (t, data) => {
    const { balance, below, currency, since, ...place } = dataOf[kind].parse(data);
    const values = { balance, below, currency, since: utcMinute(since) };
    return t(`text.${kind}`, { place: placeWords(place), ...values });
  };

const sentences: Readonly<Record<NotificationKind, Tell>> = {
  balance_low(t, data) {
    const { available_points, below_points, days_left } = dataOf.balance_low.parse(data);
    const values = { available: Number(available_points), below: Number(below_points) };
    const lasts = days_left === null ? "" : ` ${t("text.balance_lasts", { days: days_left })}`;
    return `${t("text.balance_low", values)}${lasts}`;
  },
  key_budget(t, data, locale) {
    const { keys, more } = dataOf.key_budget.parse(data);
    const items = keys.map(({ name, percent, budget_points, limit }) => {
      const values = { name, percent, budget: Number(budget_points), limit: t(`limit.${limit}`) };
      return t("item.key_budget", values);
    });
    return t("text.key_budget", { items: listed(t, locale, items, more) });
  },
  member_budget(t, data, locale) {
    const { members, more } = dataOf.member_budget.parse(data);
    const items = members.map(({ email, percent, budget_points, limit }) => {
      const values = { email, percent, budget: Number(budget_points), limit: t(`limit.${limit}`) };
      return t("item.member_budget", values);
    });
    return t("text.member_budget", { items: listed(t, locale, items, more) });
  },
  tag_budget(t, data, locale) {
    const { tags, more } = dataOf.tag_budget.parse(data);
    const items = tags.map(({ tag, percent, budget_points, limit }) => {
      const values = { tag, percent, budget: Number(budget_points), limit: t(`limit.${limit}`) };
      return t("item.tag_budget", values);
    });
    return t("text.tag_budget", { items: listed(t, locale, items, more) });
  },
  own_budget(t, data) {
    const { percent, budget_points, limit, renews_at } = dataOf.own_budget.parse(data);
    const budget = { percent, budget: Number(budget_points), limit: t(`limit.${limit}`) };
    return t("text.own_budget", { ...budget, at: utcMinute(renews_at) });
  },
  key_paused(t, data, locale) {
    const { keys } = dataOf.key_paused.parse(data);
    const items = keys.map(({ name, spent_points, hourly_max_points }) =>
      t("item.key_paused", { name, spent: Number(spent_points), max: Number(hourly_max_points) }),
    );
    return t("text.key_paused", { items: listed(t, locale, items) });
  },
  key_expiring(t, data, locale) {
    const { keys, more } = dataOf.key_expiring.parse(data);
    const items = keys.map(({ name, expires_at }) =>
      t("item.key_expiring", { name, at: utcMinute(expires_at) }),
    );
    return t("text.key_expiring", { items: listed(t, locale, items, more) });
  },
  points_ending(t, data, locale) {
    const { lots, more } = dataOf.points_ending.parse(data);
    const items = lots.map(({ reason, left_points, ends_at }) =>
      t("item.points_ending", { reason, left: Number(left_points), at: utcMinute(ends_at) }),
    );
    return t("text.points_ending", { items: listed(t, locale, items, more) });
  },
  payment_paid(t, data) {
    const { points, plan } = dataOf.payment_paid.parse(data);
    if (plan === undefined) return t("text.payment_paid", { points: Number(points) });
    return t("text.plan_paid", { plan, points: Number(points) });
  },
  payment_failed: (t, data) =>
    t("text.payment_failed", { points: Number(dataOf.payment_failed.parse(data).points) }),
  topup_paused(t, data) {
    const { reason, card } = dataOf.topup_paused.parse(data);
    return t("text.topup_paused", { reason: t(`pause.${reason}`, { card }) });
  },
  plan_unpaid(t, data) {
    const { plan, reason, retry_at, ends_at } = dataOf.plan_unpaid.parse(data);
    const failed = t("text.plan_unpaid", { plan, reason: t(`unpaid.${reason}`) });
    if (ends_at === null) return `${failed} ${t("unpaid.ended")}`;
    const until = t("unpaid.until", { at: utcMinute(ends_at) });
    return retry_at === null
      ? `${failed} ${until}`
      : `${failed} ${t("unpaid.retry", { at: utcMinute(retry_at) })} ${until}`;
  },
  task_finished(t, data) {
    const { task, model, status } = dataOf.task_finished.parse(data);
    return t("text.task_finished", { task, model, status: t(`status.${status}`) });
  },
  device_new(t, data) {
    const { email, address, at } = dataOf.device_new.parse(data);
    return t("text.device_new", { email, address: address ?? "?", at: utcMinute(at) });
  },
  price_change(t, data, locale) {
    const { models, more } = dataOf.price_change.parse(data);
    const items = models.map(({ model, effective_at, ...change }) => {
      const changes = listText(changesOf(t, change), locale);
      return t("item.price_change", { model, at: utcMinute(effective_at), changes });
    });
    return t("text.price_change", { items: listed(t, locale, items, more) });
  },
  webhook_paused: (t, data) =>
    t("text.webhook_paused", { url: dataOf.webhook_paused.parse(data).url }),
  channel_down: tellTrouble("channel_down"),
  channel_back(t, data) {
    const { since, ...place } = dataOf.channel_back.parse(data);
    return t("text.channel_back", { place: placeWords(place), since: utcMinute(since) });
  },
  credential_refused: tellTrouble("credential_refused"),
  upstream_balance: tellTrouble("upstream_balance"),
  upstream_low: tellAmount("upstream_low"),
  upstream_refilled: tellAmount("upstream_refilled"),
  audit_failed: (t, data) =>
    t("text.audit_failed", { failed: dataOf.audit_failed.parse(data).failed }),
  spool_used(t, data) {
    const { ends, since } = dataOf.spool_used.parse(data);
    return t("text.spool_used", { ends, since: utcMinute(since) });
  },
};

/** A channel, with the credential where it is about one. */
function placeWords({ name, credential }: { name: string; credential: string | null }): string {
  return credential === null ? name : `${name} (${credential})`;
}

interface Told {
  readonly kind: NotificationKind;
  readonly data: unknown;
}

interface Words {
  readonly title: string;
  readonly text: string;
  readonly path: string;
}

/** In a language. */
export function notificationWords(locale: Locale): ({ kind, data }: Told) => Words {
  const t = say(locale);
  return ({ kind, data }) => {
    const isPlan = kind === "payment_paid" && dataOf.payment_paid.parse(data).plan !== undefined;
    const title = t(`title.${isPlan ? "plan_paid" : kind}`);
    return { title, text: sentences[kind](t, data, locale), path: pathOf(kind, data) };
  };
}

/** One mail about all of them, from the installation at `origin`. */
export function notificationMail(
  { origin, locale, to }: { origin: string; locale: Locale; to: string },
  about: readonly Told[],
): Mail {
  const t = say(locale);
  const { host } = new URL(origin);
  const all = about.map(notificationWords(locale));
  const [first, ...others] = all;
  const one = others.length === 0 ? first : undefined;
  const parts = all.map(({ title, text, path }) =>
    [...(one ? [] : [title]), text, `${origin}${path}`].join("\n"),
  );
  const subject = one
    ? t("subject", { title: one.title, host })
    : t("subjectOfMany", { count: about.length, host });
  return { to, subject, text: `${[...parts, t("foot", { origin })].join("\n\n")}\n` };
}
