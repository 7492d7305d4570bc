"use client";

import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListFrame } from "@/components/lists/list-frame";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { PageHead } from "@/components/ui/page-head";
import { linkClassName } from "@/components/ui/rich-text";
import { incidentsQuery } from "@/lib/client/operator-incidents";
import type { IncidentView } from "@/lib/contract/incidents";
import { IncidentLine } from "./incident-line";
import { OpenIncidentDialog } from "./open-incident-dialog";
import { UpdateDialog } from "./update-dialog";

/** The incidents that operators wrote about, and who sees them. */
export function IncidentsView() {
  const t = useTranslations("operator.incidents");
  const query = useQuery(incidentsQuery);
  const { data } = query;
  const [isOpening, setIsOpening] = useState(false);
  const [updated, setUpdated] = useState<IncidentView | null>(null);
  return (
    <>
      <PageHead title={t("title")} note={t("note")}>
        <Button look="go" onClick={() => setIsOpening(true)}>
          {t("open")}
        </Button>
      </PageHead>
      <ListFrame
        id="incidents"
        title={t("list")}
        isPageTitle
        note={data ? t(`shownTo.${data.shownTo}`) : null}
        aside={
          <Link href="/status" prefetch={false} className={linkClassName}>
            {t("see")}
          </Link>
        }
        query={query}
        empty={t("empty")}
        rows={
          data?.incidents.length ? (
            <ul className="divide-y border-t">
              {data.incidents.map((incident) => (
                <IncidentLine
                  key={incident.id}
                  incident={incident}
                  onUpdate={() => setUpdated(incident)}
                />
              ))}
            </ul>
          ) : null
        }
      />
      {isOpening ? <OpenIncidentDialog onClose={() => setIsOpening(false)} /> : null}
      {updated ? <UpdateDialog incident={updated} onClose={() => setUpdated(null)} /> : null}
    </>
  );
}
