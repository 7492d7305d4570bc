import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { brandName } from "@/lib/contract/brand";
import { chosenLocale, LOCALE_COOKIE, type Locale } from "@/messages/locales";

/** With the installation's own name. */
async function messagesOf(locale: Locale) {
  const messages =
    locale === "zh-CN"
      ? (await import("@/messages/zh-CN.json")).default
      : (await import("@/messages/en.json")).default;
  return { ...messages, meta: { ...messages.meta, name: brandName(locale) } };
}

export default getRequestConfig(async () => {
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value;
  const locale = chosenLocale(chosen, (await headers()).get("accept-language"));
  return { locale, messages: await messagesOf(locale), timeZone: "UTC" };
});
