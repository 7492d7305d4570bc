import { useTranslations } from "next-intl";
import { fieldNamedBy } from "@/components/forms/use-server-form";
import { useOperatorForm } from "../use-operator-form";
import { type ChannelInput, fieldOf, problemsOf } from "./channel-form";

interface ChannelFormOptions {
  start: ChannelInput;
  send: (input: ChannelInput) => Promise<unknown>;
  onDone: (input: ChannelInput) => void;
}

/** The form of a new or existing channel. */
export function useChannelForm({ start, send, onDone }: ChannelFormOptions) {
  const t = useTranslations("operator.channels");
  return useOperatorForm({
    start,
    problemsOf: (input) =>
      Object.fromEntries(problemsOf(input).map((field) => [field, t(`problems.${field}`)])),
    send,
    onDone: (_, input) => onDone(input),
    fieldOf: (error) => fieldOf(fieldNamedBy(error)),
  });
}

export type ChannelForm = ReturnType<typeof useChannelForm>;
