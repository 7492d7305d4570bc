import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { FormDialog } from "@/components/forms/dialog-form";
import { TextField } from "@/components/forms/text-field";
import { FieldError } from "@/components/ui/field";
import { Notice } from "@/components/ui/notice";
import { Skeleton } from "@/components/ui/skeleton";
import { channelsQuery } from "@/lib/client/operator-channels";
import { upstreamModelsQuery } from "@/lib/client/operator-models";
import { LoadedSelect } from "../loaded-select";
import { useOperatorFailureText } from "../operator-failure";
import { ImportList } from "./import-list";
import { useImportForm } from "./use-import-form";

/** Makes drafts of models that a channel's upstream lists, mapped by the channel. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslations("operator.models");
  const importing = useImportForm(onClose);
  const { form, clear } = importing;
  const channels = useQuery(channelsQuery);
  const { channel } = form.watch();
  const field = form.field("channel");
  return (
    <FormDialog
      form={form}
      onClose={onClose}
      title={t("importTitle")}
      note={t("importNote")}
      go={t("importGo")}
      className="sm:w-[min(44rem,calc(100vw-2rem))]"
    >
      <LoadedSelect
        label={t("channel")}
        query={channels}
        of={channels.data?.channels ?? []}
        none={t("choose")}
        {...field}
        onChange={(event) => {
          clear();
          void field.onChange(event);
        }}
      />
      {channel === "" ? null : <Listed channel={channel} importing={importing} />}
      <FieldError id="import-models" text={form.errorOf("models")} />
      <div className="grid items-start gap-4 sm:grid-cols-3">
        <TextField label={t("margin")} hint={t("marginHint")} isNumber {...form.field("margin")} />
        <TextField
          label={t("inputPrice")}
          hint={t("inputPriceHint")}
          isNumber
          {...form.field("input")}
        />
        <TextField label={t("outputPrice")} isNumber {...form.field("output")} />
      </div>
    </FormDialog>
  );
}

interface ListedProps {
  channel: string;
  importing: ReturnType<typeof useImportForm>;
}

function Listed({ channel, importing }: ListedProps) {
  const t = useTranslations("operator.models");
  const ui = useTranslations("ui");
  const failureText = useOperatorFailureText();
  const { data, error } = useQuery(upstreamModelsQuery(channel));
  if (error) return <Notice tone="bad">{failureText(error)}</Notice>;
  if (!data)
    return (
      <div role="status" className="grid gap-2">
        <span className="sr-only">{ui("loading")}</span>
        <Skeleton className="h-9 w-full" />
        <Skeleton className="h-9 w-full" />
      </div>
    );
  if (data.models.length === 0) return <Notice tone="note">{t("listsNothing")}</Notice>;
  return <ImportList models={data.models} importing={importing} />;
}
