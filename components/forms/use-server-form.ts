import { type FormEvent, type RefObject, useEffect, useRef } from "react";
import {
  type DefaultValues,
  type FieldErrors,
  type FieldValues,
  type Path,
  useForm,
} from "react-hook-form";
import { useFailureText } from "@/components/ui/failure-text";
import type { FailureContext, FailureText } from "@/lib/client/failure-text";
import { RequestError } from "@/lib/client/request-error";

/** The problem of each field, as text. Absent fields are valid. */
type Problems<Values> = { readonly [Name in keyof Values]?: string | undefined };

export interface ServerFormOptions<Values extends FieldValues, Answer> {
  start: Values;
  /** Called on submit, and from then on at every change. */
  problemsOf?: (values: Values) => Problems<Values>;
  send: (values: Values) => Promise<Answer>;
  /** Not called once the form is unmounted: a dialog may be closed while it waits. */
  onDone?: (answer: Answer, values: Values) => void;
  /** The text shown for a refusal. */
  failureText?: FailureText;
  /** Where the refusal happens, for its usual text. */
  context?: FailureContext;
  /** The field that a refusal is about; by default the one that the server names. */
  fieldOf?: (error: unknown) => string | null;
  /** The field to focus after a refusal that is about no field. */
  focusOnFailure?: keyof Values & string;
  /** Success leaves the page: the button stays busy until then. */
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

/** Whether the component is still mounted, to be checked after waiting. */
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
 * Moves the focus after each submit. Runs after the problems have been rendered, which may have
 * opened the section of an invalid field.
 */
function useFocusOnProblem(
  submitCount: number,
  element: RefObject<HTMLFormElement | null>,
  otherwise: () => void,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: only the end of a submit moves the focus
  useEffect(() => {
    if (submitCount === 0) return;
    const wrong = element.current?.querySelector<HTMLElement>("[aria-invalid=true]");
    if (wrong) wrong.focus();
    else otherwise();
  }, [submitCount]);
}

/**
 * The state of a form that is sent to the server. Every value in `start` has a field that shows its
 * error. A refusal is shown at the field that the server names, or else as a failure of the whole
 * form. The first invalid field gets the focus.
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
  const usualText = useFailureText(options.context);
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
  useFocusOnProblem(submitCount, element, () => {
    if (failure !== null && focusOnFailure) form.setFocus(pathOf<Values>(focusOnFailure));
  });
  const refuse = (error: unknown) => {
    const field = fieldOf(error);
    const name: Path<Values> | "root" =
      field !== null && field in start ? pathOf<Values>(field) : "root";
    form.setError(name, { type: "server", message: failureText(error, name !== "root") });
  };
  const errorOf = (name: keyof Values & string) =>
    form.getFieldState(pathOf<Values>(name), form.formState).error?.message;
  const clearFailure = () => {
    if (failure !== null) form.clearErrors("root");
  };
  return {
    /** Binds an input to its value and its error. */
    field: (name: keyof Values & string) => ({
      ...form.register(pathOf<Values>(name)),
      error: errorOf(name),
    }),
    errorOf,
    /** The current values. The caller is rendered again at every change. */
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

/** Values are flat, so a field's name is its path. */
const pathOf = <Values extends FieldValues>(name: string) => name as Path<Values>;

/** `problem` if the text is blank. */
export const ifEmpty = (text: string, problem: string) =>
  text.trim() === "" ? problem : undefined;
