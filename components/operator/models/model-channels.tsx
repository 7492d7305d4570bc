import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { ListCard } from "@/components/lists/list-card";
import { Button } from "@/components/ui/button";
import { RelativeTime } from "@/components/ui/relative-time";
import { Cell, ColumnHead, HiddenHead, Row } from "@/components/ui/table";
import { useSorted } from "@/components/ui/use-sorted";
import { channelsQuery } from "@/lib/client/operator-channels";
import type { ModelDetail } from "@/lib/contract/operator-models";
import { TestDialog } from "../channels/test-dialog";
import { MapDialog } from "./map-dialog";

type Mapping = ModelDetail["mappings"][number];
type Opened = { readonly what: "test" | "map"; readonly mapping: Mapping | null };

/** The channels that serve a model, and how their tests with it ended. */
export function ModelChannels({ detail }: { detail: ModelDetail }) {
  const t = useTranslations("operator.models");
  const { data } = useQuery(channelsQuery);
  const [opened, setOpened] = useState<Opened | null>(null);
  const close = () => setOpened(null);
  const { model, mappings } = detail;
  const { rows, sort } = useSorted(mappings, {
    channel: ({ name }) => name,
    upstreamModel: ({ upstreamModel }) => upstreamModel,
    lastTest: ({ test }) => test && Date.parse(test.at),
  });
  const tested = data?.channels.find(({ id }) => id === opened?.mapping?.channel);
  return (
    <>
      <ListCard
        id="channels"
        title={t("channels")}
        note={t("channelsNote")}
        aside={
          <Button onClick={() => setOpened({ what: "map", mapping: null })}>{t("map")}</Button>
        }
        empty={t("noChannels")}
        columns={
          <>
            <ColumnHead {...sort("channel")}>{t("channel")}</ColumnHead>
            <ColumnHead {...sort("upstreamModel")}>{t("upstreamModel")}</ColumnHead>
            <ColumnHead {...sort("lastTest")}>{t("lastTest")}</ColumnHead>
            <HiddenHead>{t("change")}</HiddenHead>
          </>
        }
        rows={rows.map((mapping) => (
          <MappingRow
            key={mapping.channel}
            mapping={mapping}
            isKnown={data?.channels.some(({ id }) => id === mapping.channel) ?? false}
            onOpen={(what) => setOpened({ what, mapping })}
          />
        ))}
      />
      {opened?.what === "map" ? (
        <MapDialog
          model={model.id}
          family={model.family}
          mapping={opened.mapping}
          taken={mappings.map(({ channel }) => channel)}
          onClose={close}
        />
      ) : null}
      {opened?.what === "test" && tested ? (
        <TestDialog channel={tested} only={model} onClose={close} />
      ) : null}
    </>
  );
}

interface MappingRowProps {
  mapping: Mapping;
  isKnown: boolean;
  onOpen: (what: Opened["what"]) => void;
}

function MappingRow({ mapping, isKnown, onOpen }: MappingRowProps) {
  const t = useTranslations("operator.models");
  const states = useTranslations("operator.channels.states");
  const { name, state, upstreamModel, test } = mapping;
  return (
    <Row>
      <Cell className="cards:pb-1.5">
        <span className="wrap-anywhere font-medium">{name}</span>
        {state === "active" ? null : (
          <span className="block text-muted text-sm">{states(state)}</span>
        )}
      </Cell>
      <Cell label={t("upstreamModel")}>
        <code className="wrap-anywhere text-sm">{upstreamModel}</code>
      </Cell>
      <Cell label={t("lastTest")} className="text-sm">
        {test === null ? (
          <span className="text-muted">{t("notTested")}</span>
        ) : (
          <span className={test.worked ? "text-ok-ink" : "text-bad"}>
            {t.rich(test.worked ? "worked" : "failed", {
              time: () => <RelativeTime at={test.at} />,
            })}
          </span>
        )}
      </Cell>
      <Cell className="cards:pt-2 rows:text-right">
        <span className="inline-flex flex-wrap justify-end gap-2">
          <Button
            size="small"
            disabled={!isKnown}
            aria-label={t("testOn", { name })}
            onClick={() => onOpen("test")}
          >
            {t("test")}
          </Button>
          <Button size="small" aria-label={t("changeOn", { name })} onClick={() => onOpen("map")}>
            {t("change")}
          </Button>
        </span>
      </Cell>
    </Row>
  );
}
