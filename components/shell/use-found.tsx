import { keepPreviousData, skipToken, useQuery } from "@tanstack/react-query";
import { Boxes, Clapperboard, KeyRound, ReceiptText, UserRound } from "lucide-react";
import { usePathname, useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { knownModels } from "@/lib/catalog/models";
import { useKeys } from "@/lib/client/api-keys";
import { useMay } from "@/lib/client/shown-account";
import type { Command } from "./command";

const LENGTH_MIN = 2;
const SHOWN_MAX = 5;

/** The ids that API answers contain, and the ledger's. */
const taskIdPattern = /^cgt-[0-9a-z]{26}$/;
const requestIdPattern = /^(req_[0-9a-z]{26}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** The way to the request or the task with this id; null for any other text. */
export function useNamedById(wanted: string): Command | null {
  const t = useTranslations("palette");
  const router = useRouter();
  const isOperating = usePathname().startsWith("/admin");
  const readsUsage = useMay("readUsage");
  if (!isOperating && !readsUsage) return null;
  const page = isOperating ? "/admin/requests" : "/requests";
  if (requestIdPattern.test(wanted)) {
    return {
      id: "request",
      name: t("request", { id: wanted }),
      Icon: ReceiptText,
      run: () => router.push(`${page}/${wanted}`),
    };
  }
  if (!taskIdPattern.test(wanted)) return null;
  return {
    id: "task",
    name: t("task", { id: wanted }),
    Icon: Clapperboard,
    run: () => router.push(isOperating ? `${page}/${wanted}` : `/tasks/${wanted}`),
  };
}

/** The accounts that a text finds; none for null. Customers' pages do not load the operators' calls. */
function useNamedAccounts(text: string | null) {
  const { data } = useQuery({
    queryKey: ["palette", "accounts", text],
    queryFn:
      text === null
        ? skipToken
        : async ({ signal }) =>
            (await import("@/lib/client/operator-lists")).accountsNamed(text, signal),
    placeholderData: keepPreviousData,
  });
  return text === null ? [] : (data?.accounts ?? []);
}

/** The keys and models whose names have `wanted` in them; for operators, accounts. */
export function useFound(wanted: string): Command[] {
  const t = useTranslations("palette");
  const router = useRouter();
  const isOperating = usePathname().startsWith("/admin");
  const readsUsage = useMay("readUsage");
  const keys = useKeys().data?.keys ?? [];
  const isAsked = wanted.length >= LENGTH_MIN;
  const has = (...names: readonly string[]) =>
    names.some((name) => name.toLowerCase().includes(wanted));
  const accounts = useNamedAccounts(isOperating && isAsked ? wanted : null);
  if (!isAsked) return [];
  const search = {
    id: "accounts",
    name: t("accounts", { text: wanted }),
    Icon: UserRound,
    run: () => router.push(`/admin/accounts?q=${encodeURIComponent(wanted)}`),
  };
  const own = isOperating || !readsUsage ? [] : keys;
  return [
    ...accounts.slice(0, SHOWN_MAX).map(({ id, email, name }) => ({
      id,
      name: t("account", { name: [email ?? id, name ?? []].flat().join(" · ") }),
      Icon: UserRound,
      run: () => router.push(`/admin/accounts/${encodeURIComponent(id)}`),
    })),
    ...(isOperating ? [search] : []),
    ...own
      .filter(({ id, name }) => has(id, name))
      .slice(0, SHOWN_MAX)
      .map(({ id, name }) => ({
        id,
        name: t("keyUsage", { name }),
        Icon: KeyRound,
        run: () => router.push(`/usage?days=30&key=${encodeURIComponent(id)}`),
      })),
    ...knownModels()
      .filter(({ id, alias }) => has(id, alias))
      .slice(0, SHOWN_MAX)
      .map(({ id, alias }) => ({
        id,
        name: t("model", { name: id }),
        Icon: Boxes,
        run: () => router.push(isOperating ? `/admin/models/${id}` : `/models/${alias}`),
      })),
  ];
}
