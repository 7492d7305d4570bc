"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { operatorSettingsQuery } from "@/lib/client/operator-settings";
import { NoticesCard } from "./notices-card";
import { SettingForm } from "./setting-form";

/** The settings that apply without a restart. */
export function OperatorSettingsView() {
  const t = useTranslations("operator.settings");
  const { data, error, isPending, refetch } = useQuery(operatorSettingsQuery);
  if (isPending) return <PageSkeleton />;
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data ? (
        <>
          <Card aria-labelledby="live" className="mb-3.5">
            <CardHead id="live" title={t("live")} note={t("liveNote")} />
            <ul className="divide-y border-t">
              {data.settings.map((setting) => (
                <li key={setting.name} className="px-5 py-4.5">
                  {/* A changed value replaces the form. */}
                  <SettingForm key={`${setting.value} ${setting.source}`} setting={setting} />
                </li>
              ))}
            </ul>
          </Card>
          <NoticesCard notices={data.notices} />
        </>
      ) : null}
    </>
  );
}
