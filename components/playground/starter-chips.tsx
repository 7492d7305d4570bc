import { useTranslations } from "next-intl";

const starters = ["first", "second", "third"] as const;

interface StarterChipsProps {
  family: "video" | "image";
  onChoose: (prompt: string) => void;
}

/** Prompts to begin with. */
export function StarterChips({ family, onChoose }: StarterChipsProps) {
  const t = useTranslations("studio");
  return (
    <ul aria-label={t("tryOne")} className="grid w-full max-w-xl gap-2">
      {starters.map((name) => {
        const text = t(`starters.${family}.${name}`);
        return (
          <li key={name}>
            <button
              type="button"
              onClick={() => onChoose(text)}
              className="w-full rounded-md border bg-card px-3.5 py-2.5 text-left text-muted text-sm hover:border-line-strong hover:text-ink"
            >
              {text}
            </button>
          </li>
        );
      })}
    </ul>
  );
}
