import type { Metadata } from "next";
import { getTranslations } from "next-intl/server";
import { requireOperator } from "@/app/_server/page-user";
import { publicMetadata } from "@/app/_server/public-metadata";
import { isStatusPublic, statusFacts } from "@/app/_server/status";
import { IncidentList } from "@/components/status/incident-list";
import { ModelsCard } from "@/components/status/models-card";
import { StatusLinks } from "@/components/status/status-links";
import { Summary } from "@/components/status/summary";
import { Notice } from "@/components/ui/notice";
import { PageHead } from "@/components/ui/page-head";
import { FEED_PATH } from "@/lib/contract/feed-address";
import { currentUser } from "@/lib/session/current-user";

/** 404 for who may not see the page; the title would reveal it too. */
async function admit(): Promise<boolean> {
  const isPublic = isStatusPublic();
  if (!isPublic) await requireOperator();
  return isPublic;
}

export async function generateMetadata(): Promise<Metadata> {
  const isPublic = await admit();
  const t = await getTranslations("status");
  if (!isPublic) return { title: t("name") };
  const metadata = await publicMetadata("/status", t("name"), t("note"));
  const types = { "application/atom+xml": FEED_PATH };
  return { ...metadata, alternates: { ...metadata.alternates, types } };
}

export default async function StatusPage() {
  const isPublic = await admit();
  const user = await currentUser();
  const t = await getTranslations("status");
  const { figures, incidents, models } = await statusFacts();
  const current = incidents?.filter(({ resolvedAt }) => resolvedAt === null) ?? [];
  const past = incidents?.filter(({ resolvedAt }) => resolvedAt !== null) ?? [];
  const troubled = models.filter(({ now }) => now === "fails" || now === "unserved").length;
  return (
    <>
      <PageHead title={t("name")} note={t("note")}>
        <StatusLinks isPublic={isPublic} isOperator={user?.isOperator === true} />
      </PageHead>
      {incidents === null ? null : <Summary goingOn={current.length} troubled={troubled} />}
      {current.length > 0 ? (
        <IncidentList id="current" title={t("current")} incidents={current} empty="" />
      ) : null}
      <ModelsCard models={models} figures={figures} />
      {incidents === null ? (
        <Notice tone="note">{t("unreadable")}</Notice>
      ) : (
        <IncidentList
          id="past"
          title={t("past")}
          note={t("pastNote")}
          incidents={past}
          empty={t("noIncidents")}
        />
      )}
      <p className="mt-5 max-w-[70ch] text-muted text-sm">{t("words")}</p>
    </>
  );
}
