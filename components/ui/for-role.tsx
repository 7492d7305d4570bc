"use client";

import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { useMay, useRole } from "@/lib/client/shown-account";
import type { Permission } from "@/lib/contract/member-roles";
import { Notice } from "./notice";
import { PageHead } from "./page-head";

/** Parts that are there only for roles with a permission. */
export function ForRole({ needs, children }: { needs: Permission; children: ReactNode }) {
  return useMay(needs) ? children : null;
}

/** Tells members with a limited role that parts of the page are left out. */
export function RoleNote() {
  const t = useTranslations("ui");
  const role = useRole();
  if (role === "owner" || role === "admin") return null;
  return (
    <div className="mb-4">
      <Notice tone="note">{t("roleNote", { role: t(`roles.${role}`) })}</Notice>
    </div>
  );
}

interface PageForRoleProps {
  needs: Permission;
  title: string;
  children: ReactNode;
}

/** A whole page for roles with a permission; the others read why there is nothing. */
export function PageForRole({ needs, title, children }: PageForRoleProps) {
  const t = useTranslations("ui");
  const role = useRole();
  if (useMay(needs)) return children;
  return (
    <>
      <PageHead title={title} />
      <Notice tone="note">{t("rolePage", { role: t(`roles.${role}`) })}</Notice>
    </>
  );
}
