"use client";

import { Check, ChevronsUpDown } from "lucide-react";
import { useTranslations } from "next-intl";
import { Menu, MenuItem } from "@/components/ui/menu";
import { showToast } from "@/components/ui/toast";
import { switchAccount } from "@/lib/client/members";
import type { OwnAccount } from "@/lib/contract/members";

/** The account that the pages show, and a menu with the user's others. Nothing for who has just one. */
export function AccountSwitch({ accounts }: { accounts: readonly OwnAccount[] }) {
  const t = useTranslations("shell");
  const roles = useTranslations("ui.roles");
  const shown = accounts.find(({ isShown }) => isShown);
  if (accounts.length < 2 || shown === undefined) return null;
  const open = (account: OwnAccount) => {
    if (account.isShown) return;
    switchAccount(account.id).catch(() => showToast(t("switchFailed"), "bad"));
  };
  return (
    <Menu
      trigger={
        <button
          type="button"
          aria-label={t("switchAccount", { name: shown.name })}
          className="mb-2 flex w-full items-center gap-2 rounded-md border bg-card px-2 py-1.5 text-left hover:border-line-strong"
        >
          <span className="min-w-0 flex-1">
            <span className="block truncate font-medium text-sm" title={shown.name}>
              <bdi>{shown.name}</bdi>
            </span>
            <span className="block text-muted text-xs">{roles(shown.role)}</span>
          </span>
          <ChevronsUpDown aria-hidden className="size-4 shrink-0 text-muted" />
        </button>
      }
    >
      {accounts.map((account) => (
        <MenuItem key={account.id} onSelect={() => open(account)}>
          <span className="min-w-0 max-w-56">
            <span className="block truncate">
              <bdi>{account.name}</bdi>
            </span>
            <span className="block text-muted text-xs">{roles(account.role)}</span>
          </span>
          {account.isShown ? <Check aria-label={t("shownAccount")} className="ml-auto" /> : null}
        </MenuItem>
      ))}
    </Menu>
  );
}
