"use client";

import { type FormEvent, useRef, useState } from "react";
import { type LimitsInput, type LimitsProblem, problemsOf } from "./limits-form";

/** The state of a key's form; a refused one puts the focus on the first field to blame. */
export function useLimitsForm(initial: LimitsInput, onValid: (input: LimitsInput) => void) {
  const form = useRef<HTMLFormElement>(null);
  const [input, setInput] = useState(initial);
  const [isModelChoiceOpen, setIsModelChoiceOpen] = useState(initial.models.length > 0);
  const [problems, setProblems] = useState<readonly LimitsProblem[]>([]);
  const change = (part: Partial<LimitsInput>) => {
    setInput((before) => ({ ...before, ...part }));
    setProblems((before) => before.filter(({ field }) => !(field in part)));
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const found = problemsOf(input, isModelChoiceOpen, Date.now());
    setProblems(found);
    if (found.length === 0) return onValid(input);
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>("[aria-invalid=true]")?.focus());
  };
  const fields = { input, problems, isModelChoiceOpen, onModelChoiceOpen: setIsModelChoiceOpen, onChange: change };
  return { form, fields, submit };
}
