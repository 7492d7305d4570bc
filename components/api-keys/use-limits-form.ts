import { useTranslations } from "next-intl";
import { useServerForm } from "@/components/forms/use-server-form";
import { type LimitsInput, problemsOf } from "./limits-form";

interface LimitsFormOptions<Answer> {
  start: LimitsInput;
  send: (input: LimitsInput) => Promise<Answer>;
  onDone: (answer: Answer, input: LimitsInput) => void;
}

export function useLimitsForm<Answer>({ start, send, onDone }: LimitsFormOptions<Answer>) {
  const t = useTranslations("keys");
  return useServerForm({
    start: { ...start, isModelChoiceOpen: start.models.length > 0 },
    problemsOf: (input) => {
      const found = problemsOf(input, input.isModelChoiceOpen, Date.now());
      return Object.fromEntries(
        found.map(({ field, problem }) => [field, t(`problems.${problem}`)]),
      );
    },
    send,
    onDone,
    context: "key",
  });
}

export type LimitsForm = ReturnType<typeof useLimitsForm>;
