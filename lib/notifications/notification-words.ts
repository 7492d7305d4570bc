/** What a notification says to a person, in a mail and on the page. */
import { createTranslator } from "next-intl";
import en from "@/messages/en.json";
import type { Locale } from "@/messages/locales";
import chinese from "@/messages/zh-CN.json";
import { dataOf } from "../contract/notification-data";
import type { NotificationKind } from "../contract/states";

type Texts = Pick<typeof en, "told">;
const texts: Readonly<Record<Locale, Texts>> = { en, "zh-CN": chinese };

/** A mail names fewer than the notification holds. */
const NAMED_MAX = 10;

const say = (locale: Locale) =>
  createTranslator({ locale, messages: { told: texts[locale].told }, namespace: "told" });
type Say = ReturnType<typeof say>;

const minute = (iso: string) => `${iso.slice(0, 16).replace("T", " ")} UTC`;

/** `more`: how many there are besides `items`. */
function listed(t: Say, locale: Locale, items: readonly string[], more = 0): string {
  const between = locale === "en" ? "; " : "；";
  const named = items.slice(0, NAMED_MAX);
  const count = items.length - named.length + more;
  return [...named, ...(count > 0 ? [t("and", { count })] : [])].join(between);
}

type Tell = (t: Say, data: unknown, at: { locale: Locale; origin: string }) => string;

const sentences: Readonly<Record<NotificationKind, Tell>> = {
  balance_low(t, data) {
    const { available_points, below_points, days_left } = dataOf.balance_low.parse(data);
    const values = { available: Number(available_points), below: Number(below_points) };
    const lasts = days_left === null ? "" : ` ${t("text.balance_lasts", { days: days_left })}`;
    return `${t("text.balance_low", values)}${lasts}`;
  },
  key_budget(t, data, { locale }) {
    const { keys, more } = dataOf.key_budget.parse(data);
    const items = keys.map(({ name, percent, budget_points, limit }) =>
      t("item.key_budget", {
        name,
        percent,
        budget: Number(budget_points),
        limit: t(`limit.${limit}`),
      }),
    );
    return t("text.key_budget", { items: listed(t, locale, items, more) });
  },
  key_paused(t, data, { locale, origin }) {
    const items = dataOf.key_paused
      .parse(data)
      .keys.map(({ name, spent_points, hourly_max_points }) =>
        t("item.key_paused", { name, spent: Number(spent_points), max: Number(hourly_max_points) }),
      );
    return t("text.key_paused", { items: listed(t, locale, items), origin });
  },
  key_expiring(t, data, { locale, origin }) {
    const { keys, more } = dataOf.key_expiring.parse(data);
    const items = keys.map(({ name, expires_at }) =>
      t("item.key_expiring", { name, at: minute(expires_at) }),
    );
    return t("text.key_expiring", { items: listed(t, locale, items, more), origin });
  },
  payment_paid: (t, data, { origin }) =>
    t("text.payment_paid", { points: Number(dataOf.payment_paid.parse(data).points), origin }),
  payment_failed: (t, data) =>
    t("text.payment_failed", { points: Number(dataOf.payment_failed.parse(data).points) }),
  task_finished(t, data, { origin }) {
    const { task, model, status } = dataOf.task_finished.parse(data);
    const ended = status === "queued" || status === "running" ? "failed" : status;
    return t("text.task_finished", { task, model, status: t(`status.${ended}`), origin });
  },
  device_new(t, data, { origin }) {
    const { email, address, at } = dataOf.device_new.parse(data);
    return t("text.device_new", { email, address: address ?? "?", at: minute(at), origin });
  },
  price_change(t, data, { locale, origin }) {
    const { models, more } = dataOf.price_change.parse(data);
    const items = models.map(({ model, effective_at }) =>
      t("item.price_change", { model, at: minute(effective_at) }),
    );
    return t("text.price_change", { items: listed(t, locale, items, more), origin });
  },
  webhook_paused: (t, data, { origin }) =>
    t("text.webhook_paused", { url: dataOf.webhook_paused.parse(data).url, origin }),
};

/** The words of the installation at `origin`, in a language. */
export function notificationWords(origin: string, locale: Locale) {
  const t = say(locale);
  const { host } = new URL(origin);
  const titleOf = (kind: NotificationKind) => t(`title.${kind}`);
  const textOf = (kind: NotificationKind, data: unknown) =>
    sentences[kind](t, data, { locale, origin });
  return {
    titleOf,
    textOf,
    /** One mail about all of them. */
    mail(
      to: string,
      about: readonly { readonly kind: NotificationKind; readonly data: unknown }[],
    ) {
      const [first, ...others] = about;
      const title = first && others.length === 0 ? titleOf(first.kind) : null;
      const parts = about.map(({ kind, data }) =>
        title === null ? `${titleOf(kind)}\n${textOf(kind, data)}` : textOf(kind, data),
      );
      const subject =
        title === null
          ? t("subjectOfMany", { count: about.length, host })
          : t("subject", { title, host });
      return { to, subject, text: `${[...parts, t("foot", { origin })].join("\n\n")}\n` };
    },
  };
}
