"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { FamilyTag } from "@/components/requests/family-tag";
import { Button } from "@/components/ui/button";
import { PageHead } from "@/components/ui/page-head";
import { PageSkeleton } from "@/components/ui/page-skeleton";
import { QueryFailure } from "@/components/ui/query-failure";
import { showToast } from "@/components/ui/toast";
import { modelQuery } from "@/lib/client/operator-models";
import type { ModelDetail } from "@/lib/contract/operator-models";
import { ModelChannels } from "./model-channels";
import { ModelEditor } from "./model-editor";
import { inputOf } from "./model-form";
import { ModelHistory } from "./model-history";
import { ModelNeeds } from "./model-needs";
import { ModelPreview } from "./model-preview";
import { ModelState } from "./model-state";
import { StateActions } from "./state-actions";

/** The operators' page of one model. */
export function ModelView({ id }: { id: string }) {
  const query = useQuery(modelQuery(id));
  if (query.isPending) return <PageSkeleton />;
  if (!query.data) return <QueryFailure error={query.error} onRetry={() => void query.refetch()} />;
  return <Loaded detail={query.data} />;
}

function Loaded({ detail }: { detail: ModelDetail }) {
  const t = useTranslations("operator.models");
  const [isChanging, setIsChanging] = useState(false);
  const { model, openOrders } = detail;
  return (
    <>
      <PageHead title={model.id}>
        {isChanging ? null : (
          <span className="flex flex-wrap gap-2">
            <Button onClick={() => setIsChanging(true)}>{t("change")}</Button>
            <StateActions detail={detail} />
          </span>
        )}
      </PageHead>
      <div className="-mt-4 mb-4 flex flex-wrap items-center gap-x-3 gap-y-1 text-muted text-sm">
        <FamilyTag family={model.family} />
        <ModelState {...model} />
        <span>{t("versionNumber", { version: model.version })}</span>
        {model.isBuiltIn ? <span>{t("builtIn")}</span> : null}
        {openOrders > 0 ? <span>{t("openOrders", { count: openOrders })}</span> : null}
      </div>
      {isChanging ? (
        <>
          <p className="mb-3.5 max-w-[80ch] text-muted text-sm">
            {t("changeNote", { count: openOrders })}
          </p>
          <ModelEditor
            family={model.family}
            before={detail}
            onCancel={() => setIsChanging(false)}
            onDone={() => {
              setIsChanging(false);
              showToast(t("changed", { model: model.id }));
            }}
          />
        </>
      ) : (
        <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
          <div className="grid gap-3.5">
            <ModelNeeds detail={detail} />
            <ModelChannels detail={detail} />
            <ModelHistory id={model.id} />
          </div>
          <ModelPreview family={model.family} input={inputOf(detail)} before={detail} />
        </div>
      )}
    </>
  );
}
