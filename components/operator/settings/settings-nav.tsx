import { useTranslations } from "next-intl";
import { cn } from "@/components/ui/class-names";
import { useShownSection } from "@/components/ui/use-shown-section";

export interface SettingsPart {
  id: string;
  title: string;
  /** How many of its settings are changed. */
  changed: number;
}

/**
 * The parts of the page, at its side; where that is narrow, in a line at the top that scrolls.
 * Positioned: its hidden texts are absolute, and would otherwise make the page wider.
 */
export function SettingsNav({ parts }: { parts: readonly SettingsPart[] }) {
  const t = useTranslations("operator.settings");
  const shown = useShownSection(parts.map(({ id }) => id));
  return (
    <nav
      aria-label={t("parts")}
      className="self-start max-lg:relative max-lg:-mx-1 max-lg:overflow-x-auto lg:sticky lg:top-6"
    >
      <ul className="flex gap-0.5 p-1 lg:grid lg:p-0">
        {parts.map(({ id, title, changed }) => (
          <li key={id}>
            <a
              href={`#${id}`}
              aria-current={id === shown ? "location" : undefined}
              className={cn(
                "flex items-baseline justify-between gap-2 whitespace-nowrap rounded-md px-2.5 py-1.5 text-sm lg:whitespace-normal",
                id === shown
                  ? "bg-signal-wash font-medium text-signal-ink"
                  : "text-muted hover:bg-wash hover:text-ink",
              )}
            >
              {title}
              {changed > 0 ? (
                <span className="num text-xs">
                  <span aria-hidden>{changed}</span>
                  <span className="sr-only">{t("changedCount", { count: changed })}</span>
                </span>
              ) : null}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
