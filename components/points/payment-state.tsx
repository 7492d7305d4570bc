import { useTranslations } from "next-intl";
import { Pill } from "@/components/ui/pill";
import type { PaymentView } from "@/lib/contract/payments";

const tones: Record<PaymentView["state"], "plain" | "ok" | "held"> = {
  open: "held",
  pending: "held",
  paid: "ok",
  failed: "plain",
  expired: "plain",
  partly_refunded: "plain",
  refunded: "plain",
  disputed: "held",
  charged_back: "plain",
};

export function PaymentState({ state }: { state: PaymentView["state"] }) {
  const t = useTranslations("topup.states");
  return <Pill tone={tones[state]}>{t(state)}</Pill>;
}
