import { useTranslations } from "next-intl";
import type { ComponentProps } from "react";
import { TextField } from "./text-field";

interface MomentFieldProps extends Omit<ComponentProps<typeof TextField>, "type" | "hint"> {
  /** What follows the name of the zone, such as what an empty field means. */
  note?: string;
}

/** A labelled day and time of the reader's time zone, which is named below it. */
export function MomentField({ note, ...field }: MomentFieldProps) {
  const t = useTranslations("ui");
  const zone = t("inZone", { zone: new Intl.DateTimeFormat().resolvedOptions().timeZone });
  const hint = note === undefined ? zone : `${zone} ${note}`;
  return <TextField type="datetime-local" hint={hint} {...field} />;
}
