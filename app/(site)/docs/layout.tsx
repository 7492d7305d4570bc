import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { GuideNav } from "@/components/docs/guide-nav";
import { docPages } from "@/lib/docs/guides";

export default function DocsLayout({ children }: { children: ReactNode }) {
  const t = useTranslations("docs");
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-6 lg:grid-cols-[11.5rem_minmax(0,1fr)]">
      <GuideNav
        label={t("label")}
        links={docPages.map(({ name, path }) => ({
          path,
          name: t(`names.${name}`),
          isNested: path.startsWith("/docs/api/"),
        }))}
      />
      <div className="min-w-0">{children}</div>
    </div>
  );
}
