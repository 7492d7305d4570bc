import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { CopyPage } from "@/components/docs/copy-page";
import { DocSearch } from "@/components/docs/doc-search";
import { GuideNav } from "@/components/docs/guide-nav";
import { ClientMessages } from "@/components/shell/client-messages";
import { docPages } from "@/lib/docs/guides";

const texts = ["ui", "docSearch"] as const;

export default function DocsLayout({ children }: { children: ReactNode }) {
  const t = useTranslations("docs");
  return (
    <div className="grid grid-cols-1 gap-x-12 gap-y-6 lg:grid-cols-[11.5rem_minmax(0,1fr)]">
      <GuideNav
        label={t("label")}
        search={
          <ClientMessages of={texts}>
            <DocSearch />
          </ClientMessages>
        }
        links={docPages.map(({ name, path }) => ({
          path,
          name: t(`names.${name}`),
          isNested: path.startsWith("/docs/api/"),
        }))}
      />
      <div className="min-w-0">
        <ClientMessages of={texts}>
          <CopyPage />
        </ClientMessages>
        {children}
      </div>
    </div>
  );
}
