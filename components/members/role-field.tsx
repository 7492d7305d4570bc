import { useTranslations } from "next-intl";
import { useId } from "react";
import { type GivenRole, givenRole } from "@/lib/contract/members";

interface RoleFieldProps {
  role: GivenRole;
  onChange: (role: GivenRole) => void;
}

/** The role to give, with what it allows. */
export function RoleField({ role, onChange }: RoleFieldProps) {
  const t = useTranslations("members");
  const roles = useTranslations("ui.roles");
  const name = useId();
  return (
    <fieldset className="grid gap-1">
      <legend className="mb-1 font-medium text-sm">{t("role")}</legend>
      {givenRole.options.map((each) => (
        <label key={each} className="flex items-baseline gap-2.5 py-1">
          <input
            type="radio"
            name={name}
            className="size-4 translate-y-0.5 accent-(--ink)"
            checked={role === each}
            onChange={() => onChange(each)}
          />
          <span className="flex-1">
            {roles(each)}
            <span className="block text-muted text-sm">{t(`roleNotes.${each}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
