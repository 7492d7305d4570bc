import { cookies, headers } from "next/headers";
import { getRequestConfig } from "next-intl/server";
import { chosenLocale, LOCALE_COOKIE, type Locale } from "@/messages/locales";

async function messagesOf(locale: Locale) {
  return locale === "zh-CN"
    ? (await import("@/messages/zh-CN.json")).default
    : (await import("@/messages/en.json")).default;
}

export default getRequestConfig(async () => {
  const chosen = (await cookies()).get(LOCALE_COOKIE)?.value;
  const locale = chosenLocale(chosen, (await headers()).get("accept-language"));
  return { locale, messages: await messagesOf(locale), timeZone: "UTC" };
});
