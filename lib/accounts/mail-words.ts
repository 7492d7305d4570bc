/** The mails' words in the reader's language. */
import { createTranslator } from "next-intl";
import en from "@/messages/en.json";
import type { Locale } from "@/messages/locales";
import chinese from "@/messages/zh-CN.json";
import type { Mail } from "./mail";

type Texts = Pick<typeof en, "mails">;
type Name = Exclude<
  keyof Texts["mails"],
  "ignore" | "mailedLink" | "factorChange" | "found" | "foundNothing"
>;

const texts: Readonly<Record<Locale, Texts>> = { en, "zh-CN": chinese };

export const mailTexts = (locale: Locale) => texts[locale].mails;

/** Writes a mail by the name of its text. */
export type WriteMail = (to: string, name: Name, values?: Readonly<Record<string, string>>) => Mail;

export function mailWriter(origin: string, locale: Locale): WriteMail {
  const mails = mailTexts(locale);
  const say = createTranslator({ locale, messages: { mails }, namespace: "mails" });
  const facts = { origin, host: new URL(origin).host, ignore: mails.ignore };
  return (to, name, values) => ({
    to,
    subject: say(`${name}.subject`, { ...facts, ...values }),
    text: say(`${name}.text`, { ...facts, ...values }),
  });
}
