import { Coins, Keyboard, KeyRound, Languages, Lock, SunMoon, UserPlus } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useTheme } from "next-themes";
import { languageNames, useLanguage } from "@/components/ui/language-switch";
import { usePermits, useRole } from "@/lib/client/shown-account";
import { locales } from "@/messages/locales";
import type { Command } from "./command";
import { operatorPages } from "./operator-pages";
import { pagesFor } from "./pages";
import { showOverlay } from "./palette-state";
import { useFound, useNamedById } from "./use-found";

const ACT = "act ";
/** What can be done from anywhere, each on its page. */
const actsOf = [
  { name: "makeKey", needs: "makeKeys", href: "/keys", Icon: KeyRound },
  { name: "topUp", needs: "buy", href: "/points#topup", Icon: Coins },
  { name: "invite", needs: "manageMembers", href: "/members", Icon: UserPlus },
  { name: "content", needs: "changeAccount", href: "/settings#kept-content", Icon: Lock },
] as const;

const themes = ["system", "light", "dark"] as const;
/** The commands that match `text`. A request's id leads to the request. */
export function useCommands(text: string): Command[] {
  const t = useTranslations("palette");
  const shell = useTranslations("shell");
  const router = useRouter();
  const path = usePathname();
  const { setTheme } = useTheme();
  const { locale, change } = useLanguage();
  const role = useRole();
  const permits = usePermits();
  const wanted = text.trim().toLowerCase();
  const isOperating = path.startsWith("/admin");
  const byId = useNamedById(wanted);
  const found = useFound(wanted);
  if (byId !== null) return [byId];
  const acts = actsOf
    .filter(({ needs }) => permits(needs))
    .map(({ name, needs, href, Icon }) => ({
      id: `${ACT}${needs}${name}`,
      name: t(`acts.${name}`),
      Icon,
      run: () => router.push(href),
    }));
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
  const named = [...all, ...acts].filter(({ name }) =>
    wanted.split(/\s+/).every((word) => name.toLowerCase().includes(word)),
  );
  return wanted === "" ? named.filter(({ id }) => !id.startsWith(ACT)) : [...named, ...found];
}
