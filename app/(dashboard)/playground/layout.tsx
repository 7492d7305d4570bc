import { getTranslations } from "next-intl/server";
import type { ReactNode } from "react";
import { PageForRole } from "@/components/ui/for-role";

export default async function PlaygroundLayout({ children }: { children: ReactNode }) {
  const t = await getTranslations("playground");
  return (
    <PageForRole needs="work" title={t("title")}>
      {children}
    </PageForRole>
  );
}
