import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";

const starters = ["first", "second", "third"] as const;

interface StarterChipsProps {
  family: "video" | "image";
  isLarge?: boolean;
  onChoose: (prompt: string) => void;
}

/** Prompts to begin with, whole on the stage and in a line under the prompt. */
export function StarterChips({ family, isLarge = false, onChoose }: StarterChipsProps) {
  const t = useTranslations("studio");
  return (
    <ul
      aria-label={t("tryOne")}
      className={cn(
        isLarge ? "grid w-full max-w-xl gap-2" : "flex gap-1.5 overflow-x-auto max-lg:hidden",
      )}
    >
      {starters.map((name) => {
        const text = t(`starters.${family}.${name}`);
        return (
          <li key={name} className={isLarge ? "" : "min-w-0 flex-1"}>
            <button
              type="button"
              title={isLarge ? undefined : text}
              onClick={() => onChoose(text)}
              className={cn(
                "w-full rounded-md border bg-card text-left text-muted text-sm hover:border-line-strong hover:text-ink",
                isLarge ? "px-3.5 py-2.5" : "truncate px-2 py-1 text-xs",
              )}
            >
              {text}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
