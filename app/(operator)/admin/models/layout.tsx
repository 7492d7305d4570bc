import type { ReactNode } from "react";
import { ClientMessages } from "@/components/shell/client-messages";

const texts = [
  "ui",
  "entries",
  "operator",
  "families",
  "rates",
  "reasons",
  "settlement",
  "failures",
  "pricing",
  "models",
  "modelPage",
] as const;

/** The words of the customers' pages too: the preview shows a model as they will see it. */
export default function OperatorModelsLayout({ children }: { children: ReactNode }) {
  return <ClientMessages of={texts}>{children}</ClientMessages>;
}
