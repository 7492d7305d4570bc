import { useTranslations } from "next-intl";
import { changeAddress } from "@/components/lists/address";
import { cn } from "@/components/ui/class-names";
import { Input } from "@/components/ui/input";
import { SEARCH_LENGTH_MAX } from "@/lib/contract/limits";

interface SettingsSearchProps {
  text: string;
  onType: (text: string) => void;
  isChangedOnly: boolean;
  changed: number;
  found: number;
  all: number;
}

/** Filters the settings while one types. The key `/` leads here. */
export function SettingsSearch(props: SettingsSearchProps) {
  const { text, onType, isChangedOnly, changed, found, all } = props;
  const t = useTranslations("operator.settings");
  return (
    <search className="lg:col-span-2 flex flex-wrap items-center gap-2.5">
      <span className="relative min-w-0 flex-1 basis-56">
        <Input
          type="search"
          aria-label={t("search")}
          aria-keyshortcuts="/"
          placeholder={t("search")}
          value={text}
          maxLength={SEARCH_LENGTH_MAX}
          autoComplete="off"
          spellCheck={false}
          className="peer"
          onChange={({ target }) => onType(target.value)}
        />
        {text === "" ? (
          <kbd
            aria-hidden
            className="pointer-events-none absolute top-2.5 right-3 rounded-sm border bg-wash px-1.5 text-muted text-xs peer-focus:hidden max-md:hidden"
          >
            /
          </kbd>
        ) : null}
      </span>
      <button
        type="button"
        aria-pressed={isChangedOnly}
        onClick={() => changeAddress({ changed: isChangedOnly ? null : "1" }, "replace")}
        className={cn(
          "h-10 whitespace-nowrap rounded-md border border-control px-3 text-sm transition-colors",
          isChangedOnly ? "bg-ink text-paper" : "bg-card text-muted hover:text-ink",
        )}
      >
        {t("changedOnly", { count: changed })}
      </button>
      <p role="status" className="num w-full text-muted text-sm sm:w-auto">
        {found === all ? t("all", { count: all }) : t("found", { count: found, all })}
      </p>
    </search>
  );
}
