"use client";

import { type FormEvent, useEffect, useRef } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  useForm,
} from "react-hook-form";
import { useFailureText } from "@/components/ui/failure-text";
import { RequestError } from "@/lib/client/request-error";

/** What is wrong with each field, in words; a field that is not named is right. */
type Problems<Values> = { readonly [Name in keyof Values]?: string | undefined };

export interface ServerFormOptions<Values extends FieldValues, Answer> {
  start: Values;
  /** Asked when the form is sent, and at every change from then on. */
  problemsOf?: (values: Values) => Problems<Values>;
  send: (values: Values) => Promise<Answer>;
  /** Not called once the form is gone: a dialog may be closed while it waits. */
  onDone?: (answer: Answer, values: Values) => void;
  /** What the reader is told of a refusal. */
  failureText?: (error: unknown) => string;
  /** The field that a refusal is about; unless given, the one that the server names. */
  fieldOf?: (error: unknown) => string | null;
  /** The field to go to after a refusal that is about none. */
  focusOnFailure?: keyof Values & string;
  /** The page is left once it is done: the button stays busy till then. */
  leavesPage?: boolean;
}

function checked<Values extends FieldValues>(
  values: Values,
  problemsOf: (values: Values) => Problems<Values> = () => ({}),
) {
  const wrong = Object.entries(problemsOf(values)).filter(([, message]) => message);
  if (wrong.length === 0) return { values, errors: {} };
  const errors = Object.fromEntries(
    wrong.map(([name, message]) => [name, { type: "problem", message }]),
  );
  return { values: {}, errors: errors as FieldErrors<Values> };
}

export const fieldNamedBy = (error: unknown) =>
  error instanceof RequestError ? error.param : null;

/** Whether the component is still on the page; asked after waiting. */
function useIsHere() {
  const isHere = useRef(true);
  useEffect(() => {
    isHere.current = true;
    return () => {
      isHere.current = false;
    };
  }, []);
  return isHere;
}

/**
 * The state of a form that is sent to the server. Every value in `start` has a field that shows its error: what the
 * server refuses is said at the field it names, or else as a failure of the whole form. The first wrong field gets the focus.
 */
export function useServerForm<Values extends FieldValues, Answer>(
  options: ServerFormOptions<Values, Answer>,
) {
  const {
    start,
    problemsOf,
    send,
    onDone,
    fieldOf = fieldNamedBy,
    focusOnFailure,
    leavesPage = false,
  } = options;
  const usualText = useFailureText();
  const failureText = options.failureText ?? usualText;
  const form = useForm<Values>({
    defaultValues: start as DefaultValues<Values>,
    shouldFocusError: false,
    resolver: (values) => checked(values, problemsOf),
  });
  const { errors, isSubmitted, isSubmitting, isSubmitSuccessful, submitCount } = form.formState;
  const element = useRef<HTMLFormElement>(null);
  const isHere = useIsHere();
  const failure = errors.root?.message ?? null;
  // Once what is wrong has been rendered; it may have opened what it stands in.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a try moves the focus
  useEffect(() => {
    if (submitCount === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else if (failure !== null && focusOnFailure) form.setFocus(pathOf<Values>(focusOnFailure));
  }, [submitCount]);
  const refuse = (error: unknown) => {
    const field = fieldOf(error);
    const name: Path<Values> | "root" =
      field !== null && field in start ? pathOf<Values>(field) : "root";
    form.setError(name, { type: "server", message: failureText(error) });
  };
  const errorOf = (name: keyof Values & string) =>
    form.getFieldState(pathOf<Values>(name), form.formState).error?.message;
  const clearFailure = () => {
    if (failure !== null) form.clearErrors("root");
  };
  return {
    /** What ties an input to its value and its error. */
    field: (name: keyof Values & string) => ({
      ...form.register(pathOf<Values>(name)),
      error: errorOf(name),
    }),
    errorOf,
    /** The values as they stand; who asks is rendered at every change. */
    watch: () => form.watch(),
    change(part: Partial<Values>) {
      for (const [name, value] of Object.entries(part)) form.setValue(pathOf<Values>(name), value);
      if (isSubmitted) void form.trigger();
      clearFailure();
    },
    clear: () => form.reset(),
    failure,
    clearFailure,
    isTried: isSubmitted || isSubmitting,
    isBusy: isSubmitting || (leavesPage && isSubmitSuccessful),
    submit(event: FormEvent<HTMLFormElement>) {
      element.current = event.currentTarget;
      void form.handleSubmit(async (values) => {
        let answer: Answer;
        try {
          answer = await send(values);
        } catch (error) {
          return refuse(error);
        }
        if (isHere.current) onDone?.(answer, values);
      })(event);
    },
  };
}

/** Values lie flat, so that the name of each is its path. */
const pathOf = <Values extends FieldValues>(name: string) => name as Path<Values>;

/** `problem` where nothing but blanks was typed. */
export const ifEmpty = (text: string, problem: string) =>
  text.trim() === "" ? problem : undefined;
