"use client";

import {
  Clapperboard,
  Keyboard,
  Languages,
  type LucideIcon,
  ReceiptText,
  SunMoon,
} from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import { languageNames, useLanguage } from "@/components/ui/language-switch";
import { useRole } from "@/lib/client/shown-account";
import { may } from "@/lib/contract/member-roles";
import { locales } from "@/messages/locales";
import { operatorPages } from "./operator-pages";
import { pagesFor } from "./pages";
import { showOverlay } from "./palette-state";

export interface Command {
  id: string;
  name: string;
  Icon: LucideIcon;
  keys?: readonly string[];
  run: () => void;
}

const themes = ["system", "light", "dark"] as const;
/** The ids that API answers contain, and the ledger's. */
const taskIdPattern = /^cgt-[0-9a-z]{26}$/;
const requestIdPattern = /^(req_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The commands that match `text`. A request's id leads to the request. */
export function useCommands(text: string): Command[] {
  const t = useTranslations("palette");
  const shell = useTranslations("shell");
  const router = useRouter();
  const path = usePathname();
  const { setTheme } = useTheme();
  const { locale, change } = useLanguage();
  const role = useRole();
  const wanted = text.trim().toLowerCase();
  const isOperating = path.startsWith("/admin");
  if ((isOperating || may(role, "readUsage")) && requestIdPattern.test(wanted)) {
    return [
      {
        id: "request",
        name: t("request", { id: wanted }),
        Icon: ReceiptText,
        run: () => router.push(`${isOperating ? "/admin" : ""}/requests/${wanted}`),
      },
    ];
  }
  if (may(role, "readUsage") && taskIdPattern.test(wanted)) {
    return [
      {
        id: "task",
        name: t("task", { id: wanted }),
        Icon: Clapperboard,
        run: () => router.push(`/tasks/${wanted}`),
      },
    ];
  }
  const all: Command[] = [
    // On operators' pages, the operators' commands come first.
    ...(isOperating ? operatorPages : []).map(({ href, name, Icon }) => ({
      id: href,
      name: shell(name),
      Icon,
      run: () => router.push(href),
    })),
    ...pagesFor(role).map(({ href, name, Icon, letter }) => ({
      id: href,
      name: shell(name),
      Icon,
      keys: ["g", letter],
      run: () => router.push(href),
    })),
    ...themes.map((theme) => ({
      id: theme,
      name: t("theme", { name: shell(`themes.${theme}`) }),
      Icon: SunMoon,
      run: () => setTheme(theme),
    })),
    ...locales
      .filter((each) => each !== locale)
      .map((each) => ({
        id: each,
        name: t("language", { name: languageNames[each] }),
        Icon: Languages,
        run: () => change(each),
      })),
    {
      id: "shortcuts",
      name: t("shortcuts"),
      Icon: Keyboard,
      keys: ["?"],
      run: () => showOverlay("shortcuts"),
    },
  ];
  return all.filter(({ name }) =>
    wanted.split(/\s+/).every((word) => name.toLowerCase().includes(word)),
  );
}
