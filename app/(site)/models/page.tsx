import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { publicMetadata } from "@/app/_server/public-metadata";
import { ModelTable } from "@/components/models/model-table";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("modelPage");
  return publicMetadata("/models", t("name"), t("note"));
}

export default async function ModelsPage() {
  const t = await getTranslations("modelPage");
  return (
    <>
      <h1 id="models" className="max-w-[17ch] text-4xl lang-zh:max-w-[20ch] tracking-tighter">
        {t("title")}
      </h1>
      <p className="mt-3 mb-8 max-w-[62ch] text-muted">{t("note")}</p>
      <ModelTable labelledBy="models" />
    </>
  );
}
