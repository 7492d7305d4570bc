import { useTranslations } from "next-intl";
import { useOfferedOf } from "@/components/catalog/hidden-models";
import { SelectField } from "@/components/forms/text-field";
import { Field } from "@/components/ui/field";
import { controlStyle, Input } from "@/components/ui/input";
import { Segmented } from "@/components/ui/segmented";
import { firstModelOf, offeredModelsOf, type TextModel } from "@/lib/catalog/models";
import { readTools } from "@/lib/client/chat-request";
import type { ChatSettings } from "@/lib/client/kept-conversation";
import { FoldRow } from "./fold-row";
import { RivalFields } from "./rival-fields";
import { SavedPrompts } from "./saved-prompts";

export const settingsAtFirst = ([first]: readonly TextModel[]): ChatSettings => ({
  model: (first ?? firstModelOf("text")).id,
  system: "",
});

const toolsExample = `[{
  "type": "function",
  "function": {
    "name": "weather",
    "parameters": { "type": "object" }
  }
}]`;

interface PartProps {
  settings: ChatSettings;
  onChange: (settings: ChatSettings) => void;
}

interface ChatSettingsProps extends PartProps {
  userId: string;
}

/** What is set of a conversation; what most leave as it is, is folded. */
export function ChatSettingsFields({ settings, onChange, userId }: ChatSettingsProps) {
  const t = useTranslations("playground");
  const change = (part: Partial<ChatSettings>) => onChange({ ...settings, ...part });
  const { isJson = false, others = [] } = settings;
  return (
    <div className="grid gap-4">
      <div className="grid gap-2">
        <ModelField
          model={settings.model}
          onChange={(model) => change({ model, others: others.filter((each) => each !== model) })}
        />
        <RivalFields
          model={settings.model}
          others={others}
          onChange={(next) => change({ others: next })}
        />
      </div>
      <Field label={t("system")}>
        {(control) => (
          <textarea
            {...control}
            rows={3}
            className={`${controlStyle} field-sizing-content max-h-60 min-h-20 px-3 py-2`}
            value={settings.system}
            onChange={({ target }) => change({ system: target.value })}
          />
        )}
      </Field>
      <SavedPrompts
        userId={userId}
        text={settings.system}
        onChoose={(system) => change({ system })}
      />
      <NumberFields settings={settings} onChange={onChange} />
      <div>
        <FoldRow title={t("output")} value={t(isJson ? "json" : "text")} isOpen={isJson}>
          <Segmented
            label={t("output")}
            value={isJson ? "json" : "text"}
            onChange={(next) => change({ isJson: next === "json" })}
            options={(["text", "json"] as const).map((value) => ({ value, label: t(value) }))}
          />
          {isJson ? <p className="mt-1.5 text-muted text-sm">{t("jsonHint")}</p> : null}
        </FoldRow>
        <ToolsRow settings={settings} onChange={onChange} />
      </div>
    </div>
  );
}

/** The functions that the model may call, as JSON. */
function ToolsRow({ settings, onChange }: PartProps) {
  const t = useTranslations("playground");
  const { toolsText = "" } = settings;
  const tools = readTools(toolsText);
  return (
    <FoldRow
      title={t("tools")}
      value={tools === null ? t("toolsWrongShort") : t("toolsCount", { count: tools.length })}
      isOpen={toolsText !== ""}
    >
      <Field
        label={t("toolsLabel")}
        hint={t("toolsHint")}
        error={tools === null ? t("toolsWrong") : undefined}
      >
        {(control) => (
          <textarea
            {...control}
            rows={6}
            spellCheck={false}
            placeholder={toolsExample}
            className={`${controlStyle} num px-3 py-2 text-xs`}
            value={toolsText}
            onChange={({ target }) => onChange({ ...settings, toolsText: target.value })}
          />
        )}
      </Field>
    </FoldRow>
  );
}

function ModelField({ model, onChange }: { model: string; onChange: (model: string) => void }) {
  const t = useTranslations("playground");
  return (
    <SelectField label={t("model")} value={model} onChange={({ target }) => onChange(target.value)}>
      {useOfferedOf("text").map(({ id }) => (
        <option key={id}>{id}</option>
      ))}
    </SelectField>
  );
}

const numbers = [
  { name: "max_tokens", label: "maxTokens", min: 1, step: 1 },
  { name: "temperature", label: "temperature", min: 0, max: 2, step: 0.1 },
  { name: "top_p", label: "topP", min: 0, max: 1, step: 0.05 },
] as const;

function NumberFields({ settings, onChange }: PartProps) {
  const t = useTranslations("playground");
  const outputTokensMax =
    offeredModelsOf("text").find(({ id }) => id === settings.model)?.outputTokensMax ?? 1;
  const setNumber = (
    name: (typeof numbers)[number]["name"],
    value: number,
    min: number,
    max: number,
  ) => {
    const { [name]: _, ...rest } = settings;
    onChange(Number.isNaN(value) ? rest : { ...rest, [name]: Math.min(max, Math.max(min, value)) });
  };
  return numbers.map(({ name, label, min, step, ...rest }) => {
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
  });
}
