import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { TextField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import {
  MODEL_ID_LENGTH_MAX,
  MODEL_SENTENCE_LENGTH_MAX,
  MODEL_TITLE_LENGTH_MAX,
} from "@/lib/contract/limits";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { Family } from "@/lib/contract/states";
import { RateTable } from "../prices/rate-table";
import { usePointPrice } from "../prices/use-note-costs";
import { ImageFields } from "./image-fields";
import { ModelPreview } from "./model-preview";
import { TextFields } from "./text-fields";
import { type ModelForm, useModelForm } from "./use-model-form";
import { VideoFields } from "./video-fields";

interface ModelEditorProps {
  family: Family;
  /** Null for a new model. */
  before: ModelDetail | null;
  onDone: (detail: ModelDetail) => void;
  onCancel: () => void;
}

const fieldsOf = { text: TextFields, video: VideoFields, image: ImageFields } as const;

/** A model's form, with how customers will see it beside it. */
export function ModelEditor({ family, before, onDone, onCancel }: ModelEditorProps) {
  const t = useTranslations("operator.models");
  const ui = useTranslations("ui");
  const pointPrice = usePointPrice();
  const currency = before === null ? pointPrice?.currency : undefined;
  const form = useModelForm({ family, before, currency, onDone });
  const Limits = fieldsOf[family];
  const isBuiltIn = before?.model.isBuiltIn ?? false;
  return (
    <div className="grid items-start gap-3.5 lg:grid-cols-[minmax(0,1.15fr)_minmax(0,1fr)]">
      <Card className="p-5">
        <Form form={form} className="gap-6">
          {isBuiltIn ? (
            <p className="text-muted text-sm">{t("builtInNote")}</p>
          ) : (
            <>
              <Part title={t("identity")}>
                <Identity form={form} isNew={before === null} />
              </Part>
              <Part title={t("limits")}>
                <Limits form={form} />
              </Part>
            </>
          )}
          <Part title={t("price")}>
            <RateTable
              label={t("rates")}
              hint={t("ratesHint")}
              family={family}
              rows={form.watch().rates}
              onChange={(rates) => form.change({ rates })}
              error={form.errorOf("rates")}
              currency={currency}
              pointPrice={pointPrice}
            />
          </Part>
          <Part title={t("names")} note={t("namesNote")}>
            <Names form={form} />
          </Part>
          <FormFailure text={form.failure} />
          <div className="flex flex-wrap justify-end gap-2">
            <Button onClick={onCancel}>{ui("cancel")}</Button>
            <Button type="submit" look="go" isBusy={form.isBusy}>
              {t(before === null ? "makeDraft" : "save")}
            </Button>
          </div>
        </Form>
      </Card>
      <ModelPreview family={family} input={form.watch()} before={before} />
    </div>
  );
}

function Part({ title, note, children }: { title: string; note?: string; children: ReactNode }) {
  return (
    <section className="grid gap-4">
      <div>
        <h2 className="text-lg">{title}</h2>
        {note ? <p className="text-muted text-sm">{note}</p> : null}
      </div>
      {children}
    </section>
  );
}

function Identity({ form, isNew }: { form: ModelForm; isNew: boolean }) {
  const t = useTranslations("operator.models");
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label={t("id")}
        hint={isNew ? t("idHint") : undefined}
        readOnly={!isNew}
        maxLength={MODEL_ID_LENGTH_MAX}
        spellCheck={false}
        {...form.field("id")}
      />
      <TextField
        label={t("aliases")}
        hint={t("aliasesHint")}
        spellCheck={false}
        {...form.field("aliases")}
      />
    </div>
  );
}

function Names({ form }: { form: ModelForm }) {
  const t = useTranslations("operator.models");
  return (
    <div className="grid items-start gap-4 sm:grid-cols-2">
      <TextField
        label={t("enTitle")}
        maxLength={MODEL_TITLE_LENGTH_MAX}
        {...form.field("enTitle")}
      />
      <TextField
        label={t("enSentence")}
        maxLength={MODEL_SENTENCE_LENGTH_MAX}
        {...form.field("enSentence")}
      />
      <TextField
        label={t("zhTitle")}
        maxLength={MODEL_TITLE_LENGTH_MAX}
        {...form.field("zhTitle")}
      />
      <TextField
        label={t("zhSentence")}
        maxLength={MODEL_SENTENCE_LENGTH_MAX}
        {...form.field("zhSentence")}
      />
    </div>
  );
}
