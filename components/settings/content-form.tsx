import { useTranslations } from "next-intl";
import { type FormEvent, useId, useState } from "react";
import { Button } from "@/components/ui/button";
import { Options, Select } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useChangeAccount } from "@/lib/client/settings";

const offered = [1, 3, 7, 14, 30];
const NONE = "none";

/** For how long what texts ask and are answered is kept. */
export function ContentForm({ days }: { days: number | null }) {
  const t = useTranslations("settings");
  const showFailure = useFailureToast();
  const id = useId();
  const [chosen, setChosen] = useState(String(days ?? NONE));
  const change = useChangeAccount();
  const options = [...new Set([...offered, ...(days === null ? [] : [days])])].sort(
    (a, b) => a - b,
  );
  const save = (event: FormEvent) => {
    event.preventDefault();
    const next = chosen === NONE ? null : Number(chosen);
    const saved = next === null ? t("contentRemoved") : t("contentSaved", { count: next });
    change.mutate(
      { contentDays: next },
      { onSuccess: () => showToast(saved), onError: showFailure },
    );
  };
  return (
    <form onSubmit={save} className="grid max-w-sm gap-2">
      <label htmlFor={id} className="font-medium text-sm">
        {t("contentFor")}
      </label>
      <Select
        id={id}
        aria-describedby={`${id}-hint`}
        value={chosen}
        onChange={(event) => setChosen(event.target.value)}
      >
        <option value={NONE}>{t("contentOff")}</option>
        <Options of={options} name={(count) => t("contentDays", { count })} />
      </Select>
      <p id={`${id}-hint`} className="text-muted text-sm">
        {t("contentHint")}
      </p>
      <Button type="submit" isBusy={change.isPending} className="justify-self-start">
        {t("saveContent")}
      </Button>
    </form>
  );
}
