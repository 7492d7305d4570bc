import { catchError } from "next/error";
import { useTranslations } from "next-intl";
import { type ComponentType, lazy, type ReactNode, Suspense } from "react";
import { Button } from "@/components/ui/button";
import { Notice } from "@/components/ui/notice";
import { loadCode } from "@/lib/client/load-code";

interface Meanwhile<Props> {
  /** Shown until the code is there. */
  waiting?: ReactNode;
  /** The same content in a simpler form: shown until the code is there, and if it cannot be loaded. */
  plain?: ComponentType<Props>;
  /** It is a dialog, so what is shown instead lies over the page too. */
  isDialog?: boolean;
}

const Contained = catchError(({ instead }: { instead: ReactNode }) => instead);

function Missing({ isDialog }: { isDialog: boolean }) {
  const t = useTranslations("ui.missingPart");
  return (
    <div
      className={
        isDialog ? "fixed inset-x-4 top-3 z-60 mx-auto w-fit rounded-md bg-card shadow-float" : ""
      }
    >
      <Notice tone="bad">
        <p>{t("text")}</p>
        <Button size="small" className="mt-2.5" onClick={() => window.location.reload()}>
          {t("reload")}
        </Button>
      </Notice>
    </div>
  );
}

/**
 * A component whose code is loaded when it is first shown. Where that fails, the rest of the page
 * stays as it is.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = null, plain: Plain, isDialog = false }: Meanwhile<Props> = {},
): ComponentType<Props> {
  const Part = lazy(async () => ({ default: await loadCode(load) }));
  // biome-ignore lint/correctness/noComponentHookFactories: made once for each part, when its module is loaded
  return function Later(props: Props) {
    const plain = Plain && <Plain {...props} />;
    return (
      <Contained instead={plain ?? <Missing isDialog={isDialog} />}>
        <Suspense fallback={plain ?? waiting}>
          <Part {...props} />
        </Suspense>
      </Contained>
    );
  };
}
