import { useTranslations } from "next-intl";
import { useState } from "react";
import { Button } from "@/components/ui/button";
import { Dialog } from "@/components/ui/dialog";
import { Pill } from "@/components/ui/pill";
import { QueryFailure } from "@/components/ui/query-failure";
import { RelativeTime } from "@/components/ui/relative-time";
import { SaveCsv } from "@/components/ui/save-csv";
import { Skeleton } from "@/components/ui/skeleton";
import { batchCsvAddress, useBatchVouchers } from "@/lib/client/operator-lists";
import { useOperatorWrite } from "@/lib/client/write";
import { type BatchView, topupEndpoints, type VoucherView } from "@/lib/contract/operator-topup";
import { AccountLink } from "./account-link";
import { OperatorAskDialog } from "./operator-ask-dialog";

/** A batch of vouchers: who redeemed them and when. The unused ones can be cancelled. */
export function BatchDialog({ batch, onClose }: { batch: BatchView; onClose: () => void }) {
  const t = useTranslations("operator.vouchers");
  const query = useBatchVouchers(batch.id);
  const [isCancelling, setIsCancelling] = useState(false);
  const vouchers = query.data?.pages.flatMap((page) => page.vouchers) ?? [];
  return (
    <>
      <Dialog
        isOpen={!isCancelling}
        onClose={onClose}
        title={batch.name}
        description={t("batchNote")}
      >
        <div className="mb-3 flex flex-wrap gap-2">
          <SaveCsv href={batchCsvAddress(batch.id)} size="small" />
          {batch.left > 0 ? (
            <Button size="small" look="quiet" onClick={() => setIsCancelling(true)}>
              {t("cancelRest", { count: batch.left })}
            </Button>
          ) : null}
        </div>
        {query.error && !query.data ? (
          <QueryFailure error={query.error} onRetry={() => void query.refetch()} />
        ) : null}
        {query.isPending ? <Skeleton className="h-24 w-full" /> : null}
        <ul
          className="relative max-h-96 divide-y overflow-y-auto text-sm"
          aria-label={t("vouchersOf", { name: batch.name })}
        >
          {vouchers.map((voucher) => (
            <VoucherLine key={voucher.id} voucher={voucher} />
          ))}
        </ul>
        {query.hasNextPage ? (
          <Button
            look="quiet"
            className="mt-2 w-full"
            isBusy={query.isFetchingNextPage}
            onClick={() => void query.fetchNextPage()}
          >
            {t("more")}
          </Button>
        ) : null}
      </Dialog>
      {isCancelling ? <CancelDialog batch={batch} onClose={() => setIsCancelling(false)} /> : null}
    </>
  );
}

function VoucherLine({ voucher }: { voucher: VoucherView }) {
  const t = useTranslations("operator.vouchers");
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1 py-2">
      <code className="text-faint text-xs">{voucher.id}</code>
      {voucher.accountId ? (
        <span className="flex flex-wrap items-baseline gap-2">
          <AccountLink id={voucher.accountId} email={voucher.email} />
          {voucher.redeemedAt ? (
            <span className="text-muted">
              <RelativeTime at={voucher.redeemedAt} />
            </span>
          ) : null}
        </span>
      ) : (
        <Pill>{t(`states.${voucher.state === "redeemed" ? "used" : voucher.state}`)}</Pill>
      )}
    </li>
  );
}

function CancelDialog({ batch, onClose }: { batch: BatchView; onClose: () => void }) {
  const t = useTranslations("operator.vouchers");
  const write = useOperatorWrite(topupEndpoints.cancelVouchers);
  return (
    <OperatorAskDialog
      send={() => write.mutateAsync({ id: batch.id })}
      done={({ cancelled }) => t("cancelled", { count: cancelled })}
      onClose={onClose}
      title={t("cancelTitle", { name: batch.name })}
      note={t("cancelNote", { count: batch.left })}
      go={t("cancelRest", { count: batch.left })}
      isDangerous
    />
  );
}
