import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldNamedBy, ifEmpty } from "@/components/forms/use-server-form";
import { showToast } from "@/components/ui/toast";
import { useOperatorWrite } from "@/lib/client/write";
import { MODEL_ID_LENGTH_MAX } from "@/lib/contract/limits";
import { modelEndpoints } from "@/lib/contract/operator-models";
import { amountPattern } from "@/lib/money/points";
import { useOperatorForm } from "../use-operator-form";

/** What the upstream's name becomes as a name of ours. */
const idOf = (upstreamModel: string) =>
  upstreamModel.replace(/[^A-Za-z0-9._:/-]/g, "-").slice(0, MODEL_ID_LENGTH_MAX);

/** The form that makes drafts of models of an upstream's list. */
export function useImportForm(onClose: () => void) {
  const t = useTranslations("operator.models");
  const router = useRouter();
  /** The upstream's name → ours. */
  const [chosen, setChosen] = useState<ReadonlyMap<string, string>>(new Map());
  const write = useOperatorWrite(modelEndpoints.importModels);
  const form = useOperatorForm({
    start: { channel: "", margin: "30", input: "", output: "", models: "" },
    problemsOf: ({ channel, margin, input, output }) => {
      const hasPrice = input.trim() !== "" || output.trim() !== "";
      const amount = (text: string) =>
        hasPrice && !amountPattern.test(text.trim()) ? t("amountProblem") : undefined;
      return {
        channel: ifEmpty(channel, t("channelMissing")),
        margin: amountPattern.test(margin.trim()) ? undefined : t("amountProblem"),
        input: amount(input),
        output: amount(output),
        models: chosen.size === 0 ? t("modelsMissing") : undefined,
      };
    },
    send: ({ channel, margin, input, output }) =>
      write.mutateAsync({
        id: channel,
        body: {
          models: [...chosen].map(([upstreamModel, id]) => ({
            id: id.trim(),
            upstreamModel,
          })),
          margin: margin.trim(),
          price: input.trim() === "" ? null : { input: input.trim(), output: output.trim() },
        },
      }),
    fieldOf: (error) => {
      const param = fieldNamedBy(error);
      return param !== null && ["margin", "channel"].includes(param) ? param : "models";
    },
    onDone: ({ models }) => {
      onClose();
      router.refresh();
      showToast(t("imported", { count: models.length }));
    },
  });
  const rename = (upstreamModel: string, id: string) =>
    setChosen(new Map(chosen).set(upstreamModel, id));
  const toggle = (upstreamModel: string) => {
    if (!chosen.has(upstreamModel)) return rename(upstreamModel, idOf(upstreamModel));
    setChosen(new Map([...chosen].filter(([name]) => name !== upstreamModel)));
  };
  const clear = () => setChosen(new Map());
  return { form, chosen, toggle, rename, clear };
}

export type ImportForm = ReturnType<typeof useImportForm>;
