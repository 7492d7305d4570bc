import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";

/**
 * Opens the payment provider's page, whose address `open` asks for. It stays busy while that page
 * loads; who comes back by the browser's button can press again.
 */
export function usePaymentPage<Input>(open: (input: Input) => Promise<{ readonly url: string }>) {
  const opening = useMutation({
    mutationFn: open,
    onSuccess: ({ url }) => window.location.assign(url),
  });
  const { reset } = opening;
  useEffect(() => {
    // The browser may show the page as it was left.
    const onShow = ({ persisted }: PageTransitionEvent) => {
      if (persisted) reset();
    };
    window.addEventListener("pageshow", onShow);
    return () => window.removeEventListener("pageshow", onShow);
  }, [reset]);
  return opening;
}
