import { X } from "lucide-react";
import { useTranslations } from "next-intl";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { cn } from "./class-names";
import { useOpener } from "./use-opener";

interface DialogProps {
  /** Absent: it is rendered only while it is open. */
  isOpen?: boolean;
  onClose: () => void;
  title: string;
  description?: ReactNode;
  /** False: only the dialog's own buttons close it. */
  isDismissible?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/**
 * A centred dialog; on a phone a sheet at the bottom. It is centred by margins: the animation sets
 * `translate`. The overlay has the z-index of the content, so that it covers a dialog below.
 */
export function Dialog({
  isOpen = true,
  onClose,
  title,
  description,
  isDismissible = true,
  className,
  children,
}: DialogProps) {
  const t = useTranslations("ui");
  const focusOpener = useOpener(isOpen);
  const refuse = (event: Event) => {
    if (!isDismissible) event.preventDefault();
  };
  return (
    <Primitive.Root open={isOpen} onOpenChange={(next) => (next ? undefined : onClose())}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-50 animate-appear bg-veil" />
        <Primitive.Content
          onEscapeKeyDown={refuse}
          onInteractOutside={refuse}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            focusOpener();
          }}
          {...(description ? {} : { "aria-describedby": undefined })}
          className={cn(
            "fixed inset-x-0 bottom-0 z-50 max-h-[92dvh] animate-appear scroll-pb-20 overflow-y-auto rounded-t-xl border bg-card p-5 shadow-float outline-none has-[[data-actions]]:pb-0 sm:inset-0 sm:m-auto sm:h-fit sm:w-[min(30rem,calc(100vw-2rem))] sm:rounded-xl sm:p-6 sm:has-[[data-actions]]:pb-0",
            className,
          )}
        >
          <div className="mb-4 pr-8">
            <Primitive.Title className="text-xl">{title}</Primitive.Title>
            {description ? (
              <Primitive.Description className="mt-1 text-muted text-sm">
                {description}
              </Primitive.Description>
            ) : null}
          </div>
          {children}
          {isDismissible ? (
            <Primitive.Close
              aria-label={t("close")}
              className="absolute top-4 right-4 grid size-8 place-items-center rounded-md text-muted hover:bg-wash hover:text-ink"
            >
              <X aria-hidden className="size-4" />
            </Primitive.Close>
          ) : null}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}

/**
 * The buttons of a dialog, with the main one at the right. The last thing in it: they stay in sight
 * while what is above them scrolls.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div
      data-actions
      className="sticky bottom-0 mt-2 flex flex-wrap justify-end gap-2 bg-card pt-3 pb-5 max-sm:[&>*]:flex-1 sm:pb-6"
    >
      {children}
    </div>
  );
}
