import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { summariesInLanguage } from "@/app/_i18n/api-texts";
import { publicMetadata } from "@/app/_server/public-metadata";
import { EndpointLinks } from "@/components/docs/endpoint-links";
import { PreviousNextLinks } from "@/components/docs/guide-frame";
import { OldAnchor } from "@/components/docs/old-anchor";
import { Link } from "@/components/ui/link";
import { linkClassName } from "@/components/ui/rich-text";
import { groupPages } from "@/lib/docs/guides";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reference");
  return publicMetadata("/docs/api", t("name"), t("note"));
}

/** The groups of the API, and what each of their endpoints does. */
export default async function ApiReferencePage() {
  const t = await getTranslations("reference");
  const docs = await getTranslations("docs");
  const summariesOf = await summariesInLanguage();
  return (
    <>
      <OldAnchor />
      <h1 className="text-3xl tracking-tighter">{t("title")}</h1>
      <p className="mt-2.5 max-w-[62ch] text-lg text-muted">{t("note")}</p>
      <p className="mt-2">
        <a href="/openapi.json" className={linkClassName}>
          {t("document")}
        </a>
      </p>
      {groupPages.map(({ group, name, path }) => (
        <section key={group} aria-labelledby={name} className="mt-9">
          <h2 id={name} className="scroll-mt-6 text-xl">
            <Link href={path} className="rounded-sm hover:text-signal-ink">
              {docs(`names.${name}`)}
            </Link>
          </h2>
          <p className="mt-1 text-muted">{docs(`about.${name}`)}</p>
          <EndpointLinks path={path} endpoints={summariesOf(group)} />
        </section>
      ))}
      <PreviousNextLinks name="api" />
    </>
  );
}
