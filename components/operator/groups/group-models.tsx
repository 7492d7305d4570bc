import { useTranslations } from "next-intl";
import { FamilyTag } from "@/components/requests/family-tag";
import { Input } from "@/components/ui/input";
import { allModels } from "@/lib/catalog/models";
import { MULTIPLIER_LENGTH_MAX } from "@/lib/contract/limits";

interface GroupModelsProps {
  /** Null where the group sees all. */
  seen: readonly string[] | null;
  multipliers: Readonly<Record<string, string>>;
  onSeen: (models: string[]) => void;
  onMultiplier: (model: string, multiplier: string) => void;
}

/** Which models a group sees, and the multipliers that it has for single ones. */
export function GroupModels({ seen, multipliers, onSeen, onMultiplier }: GroupModelsProps) {
  const t = useTranslations("operator.groups");
  return (
    <ul className="max-h-72 divide-y overflow-y-auto rounded-md border">
      {allModels().map(({ id, family }) => (
        <li key={id} className="flex items-center justify-between gap-3 px-3 py-1.5">
          {seen === null ? (
            <FamilyTag family={family}>{id}</FamilyTag>
          ) : (
            <label className="flex min-w-0 items-center gap-2.5">
              <input
                type="checkbox"
                className="size-4 shrink-0 accent-ink"
                checked={seen.includes(id)}
                onChange={({ target }) =>
                  onSeen(target.checked ? [...seen, id] : seen.filter((each) => each !== id))
                }
              />
              <FamilyTag family={family}>{id}</FamilyTag>
            </label>
          )}
          <Input
            aria-label={t("multiplierOf", { model: id })}
            className="num h-9 w-28 shrink-0 text-sm"
            inputMode="decimal"
            autoComplete="off"
            placeholder={t("asGroup")}
            maxLength={MULTIPLIER_LENGTH_MAX}
            value={multipliers[id] ?? ""}
            onChange={({ target }) => onMultiplier(id, target.value)}
          />
        </li>
      ))}
    </ul>
  );
}
