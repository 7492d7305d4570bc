import { useTranslations } from "next-intl";
import { useState } from "react";
import { ifEmpty } from "@/components/forms/use-server-form";
import { closing } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { type GroupView, groupEndpoints } from "@/lib/contract/operator-groups";
import { useOperatorForm } from "../use-operator-form";

const multipliersOf = (before: GroupView | null): Record<string, string> =>
  Object.fromEntries(
    before?.modelMultipliers.map(({ model, multiplier }) => [model, multiplier]) ?? [],
  );

/** The form of a new group, or of one that is changed. */
export function useGroupForm(before: GroupView | null, onClose: () => void) {
  const t = useTranslations("operator.groups");
  const [seen, setSeen] = useState(before?.models.length ? before.models : null);
  const [multipliers, setMultipliers] = useState(() => multipliersOf(before));
  const create = useOperatorWrite(groupEndpoints.createGroup);
  const change = useOperatorWrite(groupEndpoints.changeGroup);
  const form = useOperatorForm({
    start: { name: before?.name ?? "", multiplier: before?.multiplier ?? "", models: "" },
    problemsOf: ({ name }) => ({
      name: ifEmpty(name, t("nameMissing")),
      models: seen?.length === 0 ? t("modelsMissing") : undefined,
    }),
    send: ({ name, multiplier }) => {
      const body = {
        name: name.trim(),
        multiplier: multiplier.trim() || null,
        models: seen ?? [],
        modelMultipliers: Object.entries(multipliers)
          .filter(([, text]) => text.trim() !== "")
          .map(([model, text]) => ({ model, multiplier: text.trim() })),
      };
      return before ? change.mutateAsync({ id: before.id, body }) : create.mutateAsync({ body });
    },
    onDone: closing(onClose, t("saved")),
  });
  const setMultiplier = (model: string, text: string) =>
    setMultipliers({ ...multipliers, [model]: text });
  return { form, seen, setSeen, multipliers, setMultiplier };
}
