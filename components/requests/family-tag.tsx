import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import type { Family } from "@/lib/contract/states";

const dots: Record<Family, string> = {
  text: "bg-family-text",
  video: "bg-family-video",
  image: "bg-family-image",
};

/** A dot in the family's colour, with the family's name or other text. */
export function FamilyTag({ family, children }: { family: Family; children?: React.ReactNode }) {
  const t = useTranslations("families");
  return (
    <span className="inline-flex items-center gap-2 font-medium text-sm">
      <span aria-hidden className={cn("size-1.75 shrink-0 rounded-[2px]", dots[family])} />
      {children ? <span className="sr-only">{t(family)}</span> : null}
      {children ?? t(family)}
    </span>
  );
}
