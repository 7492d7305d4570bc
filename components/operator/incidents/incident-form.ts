import { useTranslations } from "next-intl";
import { type IncidentState, incidentStates } from "@/lib/contract/states";
import { useOperatorForm } from "../use-operator-form";

/** Null for a language that is not written. */
export const textOrNull = (text: string): string | null =>
  text.trim() === "" ? null : text.trim();

const stateOf = (text: string): IncidentState =>
  incidentStates.find((each) => each === text) ?? "investigating";

export interface UpdateValues {
  state: string;
  textEn: string;
  textZh: string;
}

export const updateOf = ({ state, textEn, textZh }: UpdateValues) => ({
  state: stateOf(state),
  textEn: textOrNull(textEn),
  textZh: textOrNull(textZh),
});

export function useUpdateForm(
  state: IncidentState,
  send: (update: ReturnType<typeof updateOf>) => Promise<unknown>,
  onDone: () => void,
) {
  const t = useTranslations("operator.incidents");
  return useOperatorForm({
    start: { state, textEn: "", textZh: "" },
    problemsOf: ({ textEn, textZh }) => ({
      textEn: (textEn + textZh).trim() === "" ? t("textProblem") : undefined,
    }),
    send: (values: UpdateValues) => send(updateOf(values)),
    onDone,
  });
}
