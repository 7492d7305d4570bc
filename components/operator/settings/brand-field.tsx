import type { ReactNode } from "react";
import { TextField } from "@/components/forms/text-field";
import { Field } from "@/components/ui/field";
import { controlStyle } from "@/components/ui/input";
import type { BrandSettingName } from "@/lib/contract/setting-names";
import type { useOperatorForm } from "../use-operator-form";
import { kindOf, longestLine } from "./brand-kinds";
import { BrandPreview } from "./brand-preview";
import { LongTextField } from "./long-text-field";

interface BrandFieldProps {
  name: BrandSettingName;
  label: ReactNode;
  form: ReturnType<typeof useOperatorForm<{ value: string }, void>>;
}

/** A file as a data URL; of an SVG and a PNG the server takes no other form. */
function dataUrlOf(file: File): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(String(reader.result));
    reader.onerror = () => reject(reader.error);
    reader.readAsDataURL(file);
  });
}

/** The field of a setting of the brand, and what its value looks like before it is saved. */
export function BrandField({ name, label, form }: BrandFieldProps) {
  return (
    <>
      <BrandInput name={name} label={label} form={form} />
      <BrandPreview name={name} value={form.watch().value.trim()} />
    </>
  );
}

function BrandInput({ name, label, form }: BrandFieldProps) {
  const kind = kindOf(name);
  const { error, ...control } = form.field("value");
  const lang = name.endsWith("_zh") ? "zh-CN" : name.endsWith("_en") ? "en" : undefined;
  if (kind === "image") {
    return (
      <Field label={label} error={error}>
        {(named) => (
          <input
            type="file"
            accept="image/png,image/svg+xml"
            className={`${controlStyle} px-3 py-2`}
            {...named}
            onChange={async ({ target }) => {
              const [file] = target.files ?? [];
              if (file) form.change({ value: await dataUrlOf(file) });
            }}
          />
        )}
      </Field>
    );
  }
  if (kind === "page") {
    return <LongTextField label={label} lang={lang} error={error} {...control} />;
  }
  return (
    <TextField
      label={label}
      lang={lang}
      maxLength={kind === "colour" ? 7 : longestLine(name)}
      placeholder={kind === "colour" ? (name === "accent_dark" ? "#8ab4ff" : "#1a56db") : undefined}
      error={error}
      {...control}
    />
  );
}
