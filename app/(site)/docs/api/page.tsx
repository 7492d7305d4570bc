import type { Metadata } from "next";
import Link from "next/link";
import { getTranslations } from "next-intl/server";
import { inReadersLanguage } from "@/app/_i18n/api-texts";
import { publicMetadata } from "@/app/_server/public-metadata";
import { PreviousNextLinks } from "@/components/docs/guide-frame";
import { OldAnchor } from "@/components/docs/old-anchor";
import { PathText } from "@/components/docs/path-text";
import { linkClassName } from "@/components/ui/rich-text";
import { apiReference } from "@/lib/contract/reference";
import { groupPages } from "@/lib/docs/guides";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reference");
  return publicMetadata("/docs/api", t("name"), t("note"));
}

/** The groups of the API, and what each of their endpoints does. */
export default async function ApiReferencePage() {
  const t = await getTranslations("reference");
  const docs = await getTranslations("docs");
  const entries = await inReadersLanguage(apiReference());
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
          <ul className="mt-3 grid border-t text-sm">
            {entries
              .filter((entry) => entry.group === group)
              .map((entry) => (
                <li key={entry.name} id={entry.name} className="scroll-mt-6 border-b">
                  <Link
                    href={`${path}#${entry.name}`}
                    data-endpoint
                    prefetch={false}
                    className="grid gap-x-4 rounded-sm py-2 hover:bg-wash sm:grid-cols-[minmax(0,20rem)_minmax(0,1fr)]"
                  >
                    <span className="grid grid-cols-[3.75rem_minmax(0,1fr)]">
                      <code className="text-muted text-xs leading-5">{entry.method}</code>
                      <code className="[overflow-wrap:anywhere]">
                        <PathText path={entry.path} />
                      </code>
                    </span>
                    <span className="text-muted max-sm:pl-15">{entry.summary}</span>
                  </Link>
                </li>
              ))}
          </ul>
        </section>
      ))}
      <PreviousNextLinks name="api" />
    </>
  );
}
