"use client";

import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { Field } from "@/components/ui/field";
import { controlStyle, Input, Select } from "@/components/ui/input";
import { models } from "@/lib/catalog/models";
import type { ChatSettings } from "@/lib/client/kept-conversation";

const chatModels = models.filter((model) => model.family === "text");

export const settingsAtFirst: ChatSettings = { model: chatModels[0]?.id ?? "", system: "" };

const numbers = [
  { name: "max_tokens", label: "maxTokens", min: 1, step: 1 },
  { name: "temperature", label: "temperature", min: 0, max: 2, step: 0.1 },
  { name: "top_p", label: "topP", min: 0, max: 1, step: 0.05 },
] as const;

interface SettingsCardProps {
  settings: ChatSettings;
  onChange: (settings: ChatSettings) => void;
}

export function SettingsCard({ settings, onChange }: SettingsCardProps) {
  const t = useTranslations("playground");
  const outputTokensMax = chatModels.find(({ id }) => id === settings.model)?.outputTokensMax ?? 1;
  const setNumber = (
    name: (typeof numbers)[number]["name"],
    value: number,
    min: number,
    max: number,
  ) => {
    const { [name]: _, ...rest } = settings;
    onChange(Number.isNaN(value) ? rest : { ...rest, [name]: Math.min(max, Math.max(min, value)) });
  };
  return (
    <Card aria-labelledby="chat-settings" className="self-start">
      <CardHead id="chat-settings" title={t("settings")} />
      <div className="grid gap-4 px-5 pb-5">
        <Field label={t("model")}>
          {(control) => (
            <Select
              {...control}
              value={settings.model}
              onChange={(event) => onChange({ ...settings, model: event.target.value })}
            >
              {chatModels.map(({ id }) => (
                <option key={id}>{id}</option>
              ))}
            </Select>
          )}
        </Field>
        <Field label={t("system")}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              className={`${controlStyle} px-3 py-2`}
              value={settings.system}
              onChange={(event) => onChange({ ...settings, system: event.target.value })}
            />
          )}
        </Field>
        {numbers.map(({ name, label, min, step, ...rest }) => {
          const max = "max" in rest ? rest.max : outputTokensMax;
          return (
            <Field key={name} label={t(label)} hint={t("range", { min, max })}>
              {(control) => (
                <Input
                  {...control}
                  type="number"
                  inputMode="decimal"
                  min={min}
                  max={max}
                  step={step}
                  placeholder={t("byModel")}
                  value={settings[name] ?? ""}
                  onChange={(event) => setNumber(name, event.target.valueAsNumber, min, max)}
                />
              )}
            </Field>
          );
        })}
      </div>
    </Card>
  );
}
