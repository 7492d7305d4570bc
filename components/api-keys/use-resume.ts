"use client";

import { useTranslations } from "next-intl";
import { showToast } from "@/components/ui/toast";
import { useFailureToast } from "@/components/ui/use-failure-toast";
import { useResumeKey } from "@/lib/client/api-keys";
import type { ApiKeyView } from "@/lib/contract/api-keys";

/** Lets a paused key be used again, and says so. */
export function useResume({ id, name }: Pick<ApiKeyView, "id" | "name">) {
  const t = useTranslations("keys");
  const showFailure = useFailureToast("key");
  const resume = useResumeKey();
  return () =>
    resume.mutate(id, {
      onError: showFailure,
      onSuccess: () => showToast(t("resumed", { name })),
    });
}
