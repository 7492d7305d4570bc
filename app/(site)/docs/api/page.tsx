import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { inReadersLanguage } from "@/app/_i18n/api-texts";
import { publicMetadata } from "@/app/_server/public-metadata";
import { siteFacts } from "@/app/_server/site";
import { EndpointEntry } from "@/components/docs/endpoint-entry";
import { PreviousNextLinks } from "@/components/docs/guide-frame";
import { PathText } from "@/components/docs/path-text";
import { linkClassName } from "@/components/ui/rich-text";
import { apiReference } from "@/lib/contract/reference";

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations("reference");
  return publicMetadata("/docs/api", t("name"), t("note"));
}

export default async function ApiReferencePage() {
  const t = await getTranslations("reference");
  const entries = await inReadersLanguage(apiReference(siteFacts().origin));
  return (
    <>
      <h1 className="text-3xl tracking-tighter">{t("title")}</h1>
      <p className="mt-2.5 max-w-[62ch] text-lg text-muted">{t("note")}</p>
      <p className="mt-2">
        <a href="/openapi.json" className={linkClassName}>
          {t("document")}
        </a>
      </p>
      <nav aria-label={t("contents")} className="my-6 border-y py-3 text-sm">
        <ul className="grid gap-x-6 gap-y-1.5 sm:grid-cols-2">
          {entries.map(({ name, method, path }) => (
            <li key={name}>
              <a
                href={`#${name}`}
                className="grid grid-cols-[3.75rem_minmax(0,1fr)] rounded-sm text-muted hover:text-ink"
              >
                <code className="text-xs leading-5">{method}</code>
                <code className="[overflow-wrap:anywhere]">
                  <PathText path={path} />
                </code>
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div className="grid min-w-0 grid-cols-1 gap-5.5">
        {entries.map((entry) => (
          <EndpointEntry key={entry.name} entry={entry} />
        ))}
      </div>
      <PreviousNextLinks name="api" />
    </>
  );
}
