import { useTranslations } from "next-intl";
import { Button } from "@/components/ui/button";
import { Card } from "@/components/ui/card";
import { useListText } from "@/components/ui/use-list-text";
import type { ImageSettings } from "@/lib/client/image-settings";
import { MakeFailure } from "./make-failure";
import { useArrival } from "./use-arrival";
import type { useImageOrders } from "./use-image-orders";

function useOrderName() {
  const t = useTranslations("studio");
  return ({ model, prompt }: ImageSettings) =>
    t("imageOf", { model: model.id, prompt: prompt.slice(0, 80) });
}

interface WaitingOrderProps {
  settings: ImageSettings;
  /** Its place among those on the stage. */
  at: number;
  count: number;
}

/** An image in progress, on the stage. */
function WaitingOrder({ settings, at, count }: WaitingOrderProps) {
  const listed = useListText();
  const t = useTranslations("studio");
  const name = useOrderName()(settings);
  const place = useArrival(at === 1 ? "sent" : null);
  return (
    <article
      ref={place}
      tabIndex={-1}
      aria-label={count > 1 ? listed([name, t("position", { at, count })]) : name}
      aria-busy
      className="min-w-0 scroll-mt-4 rounded-md"
    >
      <p
        role="status"
        className="grid aspect-video max-h-(--stage-height) w-full place-content-center rounded-md bg-wash text-muted text-sm"
      >
        {t("making")}
      </p>
      <p className="wrap-anywhere mt-3 line-clamp-2 text-muted text-sm">{settings.prompt}</p>
    </article>
  );
}

interface RefusedOrderProps {
  settings: ImageSettings;
  error: Error;
  onAgain: () => void;
  onDismiss: () => void;
}

/** A refused image: the reason, and the actions. */
function RefusedOrder({ settings, error, onAgain, onDismiss }: RefusedOrderProps) {
  const t = useTranslations("studio");
  return (
    <Card
      isOneOfMany
      aria-label={useOrderName()(settings)}
      className="grid min-w-0 content-start gap-3 self-start p-3.5"
    >
      <MakeFailure error={error} />
      <p className="wrap-anywhere line-clamp-2 text-sm">{settings.prompt}</p>
      <div className="flex gap-2">
        <Button size="small" onClick={onAgain}>
          {t("again")}
        </Button>
        <Button size="small" look="quiet" onClick={onDismiss}>
          {t("dismiss")}
        </Button>
      </div>
    </Card>
  );
}

/** The refused images and those in progress, for the stage with `count` results in all. */
export function orderCards(
  orders: Pick<ReturnType<typeof useImageOrders>, "refused" | "waiting" | "dismiss">,
  count: number,
  onAgain: (settings: ImageSettings) => void,
) {
  return [
    ...orders.refused.map(({ id, settings, error }) => (
      <RefusedOrder
        key={id}
        settings={settings}
        error={error}
        onAgain={() => onAgain(settings)}
        onDismiss={() => orders.dismiss(id)}
      />
    )),
    ...orders.waiting.map(({ id, settings }, at) => (
      <WaitingOrder key={id} settings={settings} at={at + 1} count={count} />
    )),
  ];
}
