import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { TextField } from "./text-field";

interface MomentFieldProps extends Omit<ComponentProps<typeof TextField>, "type" | "hint"> {
  /** What an empty field means. */
  ifEmpty?: string;
}

/** A labelled day and time of the reader's time zone, which is named below it. */
export function MomentField({ ifEmpty, ...field }: MomentFieldProps) {
  const t = useTranslations("ui");
  const zone = t("inZone", { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
  const hint = ifEmpty === undefined ? zone : `${zone} ${ifEmpty}`;
  return <TextField type="datetime-local" hint={hint} {...field} />;
}
