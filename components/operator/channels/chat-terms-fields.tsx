"use client";

import { useTranslations } from "next-intl";
import { Field } from "@/components/ui/field";
import { Input, Select } from "@/components/ui/input";
import { outputCaps } from "@/lib/contract/chat-fields";
import type { ChannelInput, ChannelProblem } from "./channel-form";

interface ChatTermsFieldsProps {
  input: ChannelInput;
  onChange: (change: Partial<ChannelInput>) => void;
  errorOf: (field: ChannelProblem) => string | undefined;
}

/** Which fields of a chat request pass to this upstream, and which cap it keeps. */
export function ChatTermsFields({ input, onChange, errorOf }: ChatTermsFieldsProps) {
  const t = useTranslations("operator.channels");
  return (
    <div className="mt-4 grid gap-4">
      <Field label={t("outputCap")} hint={t("hints.outputCap")}>
        {(control) => (
          <Select
            {...control}
            value={input.outputCap}
            onChange={(event) => onChange({ outputCap: event.target.value as ChannelInput["outputCap"] })}
          >
            {(["", ...outputCaps] as const).map((cap) => (
              <option key={cap} value={cap}>
                {t(`outputCaps.${cap === "" ? "protocol" : cap}`)}
              </option>
            ))}
          </Select>
        )}
      </Field>
      <Field label={t("allowedFields")} hint={t("hints.allowedFields")} error={errorOf("allowedFields")}>
        {(control) => (
          <Input
            {...control}
            autoComplete="off"
            spellCheck={false}
            placeholder={t("allowedFieldsExample")}
            value={input.allowedFields}
            onChange={(event) => onChange({ allowedFields: event.target.value })}
          />
        )}
      </Field>
    </div>
  );
}
