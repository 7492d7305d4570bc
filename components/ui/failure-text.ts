import { useLocale, useTranslations } from "next-intl";
import {
  createFailureText,
  type FailureContext,
  type FailureText,
  type Say,
} from "@/lib/client/failure-text";

/** The text for a failure that happened in `context`, in the reader's language. */
export function useFailureText(context: FailureContext = "page"): FailureText {
  return createFailureText(useTranslations("failures") as Say, useLocale(), context);
}
