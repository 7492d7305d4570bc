"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { operatorSettingsQuery } from "@/lib/client/operator-settings";
import type { LiveSettingView } from "@/lib/contract/operator-settings";
import { homeParts } from "@/lib/contract/setting-names";
import { isBrandSetting } from "./brand-kinds";
import { NoticesCard } from "./notices-card";
import { SettingForm } from "./setting-form";

const isOfLook = ({ name }: LiveSettingView) =>
  isBrandSetting(name) || homeParts.some((each) => each === name);

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
            <SettingRows settings={data.settings.filter((each) => !isOfLook(each))} />
          </Card>
          <Card aria-labelledby="brand" className="mb-3.5">
            <CardHead id="brand" title={t("brand")} note={t("brandNote")} />
            <SettingRows settings={data.settings.filter(isOfLook)} />
          </Card>
          <NoticesCard notices={data.notices} />
        </>
      ) : null}
    </>
  );
}

function SettingRows({ settings }: { settings: readonly LiveSettingView[] }) {
  return (
    <ul className="divide-y border-t">
      {settings.map((setting) => (
        <li key={setting.name} className="px-5 py-4.5">
          {/* A changed value replaces the form. */}
          <SettingForm key={`${setting.value} ${setting.source}`} setting={setting} />
        </li>
      ))}
    </ul>
  );
}
