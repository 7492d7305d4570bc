import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { ifEmpty } from "@/components/forms/use-server-form";
import { Button } from "@/components/ui/button";
import { Link } from "@/components/ui/link";
import { Notice } from "@/components/ui/notice";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { channelsQuery } from "@/lib/client/operator-channels";
import { useOperatorWrite } from "@/lib/client/write";
import { UPSTREAM_MODEL_LENGTH_MAX } from "@/lib/contract/limits";
import { type ModelDetail, modelEndpoints } from "@/lib/contract/operator-models";
import { type Family, protocolFamilies } from "@/lib/contract/states";
import { LoadedSelect } from "../loaded-select";
import { useOperatorForm } from "../use-operator-form";

interface MapDialogProps {
  model: string;
  family: Family;
  /** Null to add the model to another channel. */
  mapping: ModelDetail["mappings"][number] | null;
  /** The channels that have it already. */
  taken: readonly string[];
  onClose: () => void;
}

/** Adds a model to a channel, or changes the upstream's name for it there. */
export function MapDialog({ model, family, mapping, taken, onClose }: MapDialogProps) {
  const t = useTranslations("operator.models");
  const showFailure = useFailureToast("operator");
  const query = useQuery(channelsQuery);
  const write = useOperatorWrite(modelEndpoints.mapModel);
  const free = (query.data?.channels ?? []).filter(
    ({ id, protocol }) => !taken.includes(id) && protocolFamilies[protocol].includes(family),
  );
  const done = () => {
    onClose();
    showToast(t("mapped"));
  };
  const form = useOperatorForm({
    start: { channel: mapping?.channel ?? "", upstreamModel: mapping?.upstreamModel ?? "" },
    problemsOf: ({ channel, upstreamModel }) => ({
      channel: ifEmpty(channel, t("channelMissing")),
      upstreamModel: ifEmpty(upstreamModel, t("upstreamModelMissing")),
    }),
    send: ({ channel, upstreamModel }) =>
      write.mutateAsync({ id: model, body: { channel, upstreamModel: upstreamModel.trim() } }),
    onDone: done,
    fieldOf: () => "upstreamModel",
  });
  const takeOut = () =>
    mapping &&
    write.mutate(
      { id: model, body: { channel: mapping.channel, upstreamModel: null } },
      { onSuccess: done, onError: showFailure },
    );
  const isWithout = mapping === null && query.data !== undefined && free.length === 0;
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={mapping ? t("changeOn", { name: mapping.name }) : t("mapTitle", { model })}
      note={t("mapNote")}
      go={mapping ? t("save") : t("map")}
      isOff={isWithout}
      action={
        mapping ? (
          <Button onClick={takeOut} isBusy={write.isPending && !form.isBusy}>
            {t("takeOut")}
          </Button>
        ) : null
      }
    >
      {isWithout ? <NoFreeChannel /> : null}
      {mapping === null && !isWithout ? (
        <LoadedSelect
          label={t("channel")}
          query={query}
          of={free}
          none={t("choose")}
          {...form.field("channel")}
        />
      ) : null}
      <TextField
        label={t("upstreamModel")}
        hint={t("upstreamModelHint")}
        maxLength={UPSTREAM_MODEL_LENGTH_MAX}
        spellCheck={false}
        {...form.field("upstreamModel")}
      />
    </FormDialog>
  );
}

function NoFreeChannel() {
  const t = useTranslations("operator.models");
  return (
    <Notice tone="note">
      {t.rich("noFreeChannel", {
        channels: (text) => (
          <Link className="underline" href="/admin/channels">
            {text}
          </Link>
        ),
      })}
    </Notice>
  );
}
