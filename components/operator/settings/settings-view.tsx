"use client";

import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "next/navigation";
import { useTranslations } from "next-intl";
import { useEffect } from "react";
import { changeAddress } from "@/components/lists/address";
import { useTypedParameter } from "@/components/lists/use-typed-parameter";
import { Button } from "@/components/ui/button";
import { Card, CardHead } from "@/components/ui/card";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { operatorSettingsQuery } from "@/lib/client/operator-settings";
import type { LiveSettingView, NoticeView } from "@/lib/contract/operator-settings";
import { keysOf } from "@/lib/values/records";
import { NoticesCard } from "./notices-card";
import { SettingForm } from "./setting-form";
import { hasWords, type SettingGroup, settingGroups } from "./setting-groups";
import { SettingsNav } from "./settings-nav";
import { SettingsSearch } from "./settings-search";

/** The settings that apply without a restart. */
export function OperatorSettingsView() {
  const t = useTranslations("operator.settings");
  const { data, error, isPending, refetch } = useQuery(operatorSettingsQuery);
  if (isPending) return <PageSkeleton />;
  return (
    <>
      <PageHead title={t("title")} note={t("note")} />
      {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
      {data ? <Settings settings={data.settings} notices={data.notices} /> : null}
    </>
  );
}

/** Below what stays at the top. */
const place = "@container/settings min-w-0 max-lg:scroll-mt-18";
const isChanged = ({ source }: LiveSettingView) => source !== "default";

interface SettingsProps {
  settings: readonly LiveSettingView[];
  notices: readonly NoticeView[];
}

function Settings({ settings, notices }: SettingsProps) {
  const t = useTranslations("operator.settings");
  const [text, type] = useTypedParameter();
  const isChangedOnly = useSearchParams().has("changed");
  const isFiltered = isChangedOnly || text.trim() !== "";
  useEffect(() => {
    // What the URL leads to was not there when the page was.
    document.getElementById(window.location.hash.slice(1))?.scrollIntoView();
  }, []);
  const words = ({ name, value }: LiveSettingView, group: SettingGroup) => {
    const texts = [t(`names.${name}`), t.raw(`notes.${name}`), name, t(`groups.${group}`)];
    return [...texts, value.startsWith("data:") ? "" : value].join(" ");
  };
  const groups = keysOf(settingGroups).map((id) => {
    const own = settingGroups[id].flatMap((name) =>
      settings.filter((setting) => setting.name === name),
    );
    const shown = own.filter(
      (each) => (!isChangedOnly || isChanged(each)) && hasWords(words(each, id), text.trim()),
    );
    return { id, title: t(`groups.${id}`), shown, changed: own.filter(isChanged).length };
  });
  const found = groups.filter(({ shown }) => shown.length > 0);
  const last = { id: "notices", title: t("notices.title"), changed: 0 };
  return (
    <div className="grid grid-cols-1 gap-x-7 gap-y-3.5 lg:grid-cols-[11.5rem_minmax(0,1fr)]">
      {/* Where it is narrow, the search and the parts stay at the top. */}
      <div className="grid grid-cols-1 gap-2 max-lg:sticky max-lg:top-0 max-lg:z-20 max-lg:bg-paper max-lg:py-2 lg:contents">
        <SettingsSearch
          text={text}
          onType={type}
          isChangedOnly={isChangedOnly}
          changed={settings.filter(isChanged).length}
          found={found.flatMap(({ shown }) => shown).length}
          all={settings.length}
        />
        <SettingsNav parts={isFiltered ? found : [...found, last]} />
      </div>
      <div className="grid min-w-0 content-start gap-3.5">
        {found.map(({ id, title, shown }) => (
          <Card key={id} id={id} aria-labelledby={`${id}-head`} className={place}>
            <CardHead id={`${id}-head`} title={title} />
            <ul className="divide-y border-t">
              {shown.map((setting) => (
                <li key={setting.name} className="px-5 py-4">
                  {/* A changed value replaces the form. */}
                  <SettingForm key={`${setting.value} ${setting.source}`} setting={setting} />
                </li>
              ))}
            </ul>
          </Card>
        ))}
        {found.length === 0 ? <Nothing text={text.trim()} onAll={() => type("")} /> : null}
        {isFiltered ? null : <NoticesCard notices={notices} />}
      </div>
    </div>
  );
}

function Nothing({ text, onAll }: { text: string; onAll: () => void }) {
  const t = useTranslations("operator.settings");
  const showAll = () => {
    onAll();
    changeAddress({ changed: null }, "replace");
  };
  return (
    <div className="grid justify-items-center gap-3 rounded-lg border border-dashed px-5 py-12 text-center">
      <p className="wrap-anywhere text-muted">
        {text === "" ? t("noneChanged") : t("noMatch", { text })}
      </p>
      <Button onClick={showAll}>{t("showAll")}</Button>
    </div>
  );
}
