import { useTranslations } from "next-intl";
import { Input } from "@/components/ui/input";
import { useHydrated } from "@/lib/client/hydrated";
import { SEARCH_LENGTH_MAX } from "@/lib/contract/limits";

interface ModelSearchFieldProps {
  query: string;
  onType: (query: string) => void;
  className?: string;
}

export function ModelSearchField({ query, onType, className }: ModelSearchFieldProps) {
  const t = useTranslations("modelFinder");
  const isHydrated = useHydrated();
  return (
    <Input
      type="search"
      aria-label={t("search")}
      placeholder={t("search")}
      defaultValue={query}
      // What is typed before would not search.
      readOnly={!isHydrated}
      maxLength={SEARCH_LENGTH_MAX}
      autoComplete="off"
      spellCheck={false}
      className={className}
      onChange={(event) => onType(event.target.value.trim())}
    />
  );
}
