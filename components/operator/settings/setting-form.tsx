import { useTranslations } from "next-intl";
import type { ReactNode } from "react";
import { Form, FormFailure } from "@/components/forms/form";
import { SelectField, TextField } from "@/components/forms/text-field";
import { Button } from "@/components/ui/button";
import { cn } from "@/components/ui/class-names";
import { Options } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useSetSetting } from "@/lib/client/operator-settings";
import type { LiveSettingView } from "@/lib/contract/operator-settings";
import type { BrandSettingName } from "@/lib/contract/setting-names";
import { secondFactorRules, signUpModes, statusPageRules } from "@/lib/contract/states";
import { useOperatorForm } from "../use-operator-form";
import { BrandField } from "./brand-field";
import { isBrandSetting } from "./brand-kinds";
import { LongTextField } from "./long-text-field";
import { isFair, lines, mayBeNone, wholeNumbers, yesOrNo } from "./setting-rules";
import { SettingWords } from "./setting-words";

/** One setting: its value, the value's source, and the value without it. */
export function SettingForm({ setting }: { setting: LiveSettingView }) {
  const t = useTranslations("operator.settings");
  const showFailure = useFailureToast("operator");
  const { name, source } = setting;
  const shown = mayBeNone(name) && setting.value === "none" ? "" : setting.value;
  const set = useSetSetting();
  const send = async (value: string | null) => {
    await set.mutateAsync({ name, value });
    // Shown here, since the form is replaced once the value has changed.
    showToast(t("saved", { name: t(`names.${name}`) }));
  };
  const valueFrom = (text: string) =>
    mayBeNone(name) && text.trim() === "" ? "none" : text.trim();
  const form = useOperatorForm({
    start: { value: shown },
    problemsOf: ({ value }) => ({
      value: isFair(name, valueFrom(value)) ? undefined : t(`problems.${name}`),
    }),
    send: ({ value }) => send(valueFrom(value)),
  });
  const isSaved = form.watch().value.trim() === shown;
  const label = <span className="sr-only">{t(`names.${name}`)}</span>;
  return (
    <Form
      form={form}
      className="grid-cols-1 items-start gap-x-8 gap-y-3 @[46rem]/settings:grid-cols-[minmax(0,1fr)_minmax(0,24rem)]"
    >
      <SettingWords setting={setting} />
      <div className="flex flex-wrap items-start gap-2">
        <div className="wrap-anywhere min-w-0 flex-1">
          {isBrandSetting(name) ? (
            <BrandField name={name} label={label} form={form} />
          ) : (
            <SettingField name={name} label={label} input={form.field("value")} />
          )}
          <FormFailure text={form.failure} />
        </div>
        {/* Hidden rather than absent: a form without such a button is sent by Enter unchanged. */}
        <Button
          type="submit"
          isBusy={set.isPending}
          disabled={isSaved}
          className={cn("mt-1.5 h-10", isSaved && "hidden")}
        >
          {t("save")}
        </Button>
        {source === "here" ? (
          <Button
            look="quiet"
            className="mt-1.5 h-10"
            disabled={set.isPending}
            onClick={() => send(null).catch(showFailure)}
          >
            {t("unset")}
          </Button>
        ) : null}
      </div>
    </Form>
  );
}

interface SettingFieldProps {
  name: Exclude<LiveSettingView["name"], BrandSettingName>;
  label: ReactNode;
  input: ReturnType<ReturnType<typeof useOperatorForm<{ value: string }, void>>["field"]>;
}

function SettingField({ name, label, input }: SettingFieldProps) {
  const t = useTranslations("operator.settings");
  if (yesOrNo.includes(name)) {
    return (
      <SelectField label={label} {...input}>
        <option value="no">{t("no")}</option>
        <option value="yes">{t("yes")}</option>
      </SelectField>
    );
  }
  if (name === "second_factor") {
    return (
      <SelectField label={label} {...input}>
        <Options of={secondFactorRules} name={(rule) => t(`factors.${rule}`)} />
      </SelectField>
    );
  }
  if (name === "status_page") {
    return (
      <SelectField label={label} {...input}>
        <Options of={statusPageRules} name={(rule) => t(`statusPage.${rule}`)} />
      </SelectField>
    );
  }
  if (name === "sign_up") {
    return (
      <SelectField label={label} {...input}>
        <Options of={signUpModes} name={(mode) => t(`modes.${mode}`)} />
      </SelectField>
    );
  }
  if (name === "virtual_models")
    return <LongTextField label={label} spellCheck={false} {...input} />;
  if (lines.has(name)) return <TextField label={label} maxLength={lines.get(name)} {...input} />;
  return (
    <TextField
      label={label}
      isNumber
      inputMode={wholeNumbers.includes(name) ? "numeric" : "decimal"}
      placeholder={mayBeNone(name) ? t("noLimit") : undefined}
      {...input}
    />
  );
}
