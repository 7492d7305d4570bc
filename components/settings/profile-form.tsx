"use client";

import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { useFailureText } from "@/components/ui/failure-text";
import { Field } from "@/components/ui/field";
import { Input } from "@/components/ui/input";
import { showToast } from "@/components/ui/toast";
import { useChangeName } from "@/lib/client/settings";

const NAME_LENGTH_MAX = 80;

export function ProfileForm({ name }: { name: string | null }) {
  const t = useTranslations("settings");
  const failureText = useFailureText();
  const change = useChangeName();
  const [text, setText] = useState(name ?? "");
  const save = () =>
    change.mutate(text.trim() || null, {
      onSuccess: () => showToast(t("nameSaved")),
      onError: (error) => showToast(failureText(error), "bad"),
    });
  return (
    <form
      className="grid max-w-sm gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <Field label={t("name")}>
        {(control) => (
          <Input
            {...control}
            autoComplete="name"
            maxLength={NAME_LENGTH_MAX}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        )}
      </Field>
      <Button type="submit" isBusy={change.isPending} className="justify-self-start">
        {t("saveName")}
      </Button>
    </form>
  );
}
