import { useRouter } from "next/navigation";
import { useTranslations } from "next-intl";
import { useState } from "react";
import { fieldNamedBy, ifEmpty } from "@/components/forms/use-server-form";
import { typedModels } from "@/lib/client/operator-models";
import { useOperatorWrite } from "@/lib/client/write";
import type { ModelDetail } from "@/lib/contract/operator-models";
import type { Family } from "@/lib/contract/states";
import { firstRows } from "../prices/rate-rows";
import { useNoteCosts } from "../prices/use-note-costs";
import { useRowsProblem } from "../prices/use-rows-problem";
import { useOperatorForm } from "../use-operator-form";
import { contentOf, emptyInput, inputOf, type ModelInput } from "./model-form";

/** The field that shows what is wrong with a member of the file; the longest name that matches. */
const fields: Readonly<Record<string, keyof ModelInput>> = {
  id: "id",
  aliases: "aliases",
  names: "enTitle",
  "names.en.sentence": "enSentence",
  "names.zh-CN": "zhTitle",
  "names.zh-CN.sentence": "zhSentence",
  rates: "rates",
  "spec.output_tokens_max": "outputTokens",
  "spec.context_tokens": "contextTokens",
  "spec.image_tokens_max": "imageTokens",
  "spec.durations": "secondsListed",
  "spec.durations.min": "secondsMin",
  "spec.durations.max": "secondsMax",
  "spec.durations.default": "secondsDefault",
  "spec.resolutions": "resolutions",
  "spec.ratios": "ratios",
  "spec.reference_images_max": "references",
  "spec.sizes": "ratioSizes",
  "spec.side_pixels_min": "sideMin",
  "spec.side_pixels_max": "sideMax",
  "spec.pixels_max": "pixelsMax",
  "spec.size_default": "sizeDefault",
  "spec.qualities": "qualities",
};

function fieldOf(error: unknown): string | null {
  const param = fieldNamedBy(error);
  if (param === null) return null;
  const [name] = Object.keys(fields)
    .filter(
      (each) => param === each || param.startsWith(`${each}.`) || param.startsWith(`${each}[`),
    )
    .toSorted((one, other) => other.length - one.length);
  return name === undefined ? null : (fields[name] ?? null);
}

const isCount = (text: string) => /^\d{1,9}$/.test(text.trim());

/** The numbers that a family needs. */
function countsOf(family: Family, { lengths, sizes }: ModelInput): (keyof ModelInput)[] {
  if (family === "text") return ["outputTokens"];
  if (family === "video")
    return lengths === "between"
      ? ["secondsMin", "secondsMax", "secondsDefault", "references"]
      : ["references"];
  return sizes === "between" ? ["sideMin", "sideMax", "references"] : ["references"];
}

interface ModelFormOptions {
  family: Family;
  /** Null for a new model. */
  before: ModelDetail | null;
  /** Of what the upstream asks, for a new model. */
  currency: string | undefined;
  onDone: (detail: ModelDetail) => void;
}

/** The form of a new model, or of one that is changed. */
export function useModelForm({ family, before, currency, onDone }: ModelFormOptions) {
  const t = useTranslations("operator.models");
  const rowsProblem = useRowsProblem();
  const noteCosts = useNoteCosts(family, currency);
  const router = useRouter();
  // What the form shows: `before` may be read again while it is open.
  const [revision] = useState(before?.revision);
  const create = useOperatorWrite(typedModels.create);
  const change = useOperatorWrite(typedModels.change);
  return useOperatorForm({
    start: before === null ? { ...emptyInput, rates: firstRows(family) } : inputOf(before),
    problemsOf: (input) => {
      const counts = before?.model.isBuiltIn ? [] : countsOf(family, input);
      return {
        ...Object.fromEntries(
          counts
            .filter((name) => !isCount(String(input[name])))
            .map((name) => [name, t("countProblem")]),
        ),
        id: ifEmpty(input.id, t("idMissing")),
        rates: rowsProblem(input.rates),
      };
    },
    send: async (input) => {
      const body = contentOf(family, input, before);
      if (before !== null)
        return change.mutateAsync({ id: before.model.id, body, query: { revision } });
      const made = await create.mutateAsync({ body });
      await noteCosts(made.model.id, input.rates);
      return made;
    },
    fieldOf,
    onDone: (detail) => {
      // The pages' own list of models.
      router.refresh();
      onDone(detail);
    },
  });
}

export type ModelForm = ReturnType<typeof useModelForm>;
