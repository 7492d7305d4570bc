import { useQuery } from "@tanstack/react-query";
import { useTranslations } from "next-intl";
import { Card, CardHead } from "@/components/ui/card";
import { cn } from "@/components/ui/class-names";
import { ForRole } from "@/components/ui/for-role";
import { QueryFailure } from "@/components/ui/query-failure";
import { Skeleton } from "@/components/ui/skeleton";
import { choicesQuery } from "@/lib/client/notifications";
import { ChoiceRow } from "./choice-row";
import { DaysChoice } from "./days-choice";
import { MailNote } from "./mail-note";

/** What the reader gets mails about; one line where no mail is sent. */
export function ChoicesCard({ sendsMail }: { sendsMail: boolean }) {
  const t = useTranslations("notifications");
  const { data, error, refetch } = useQuery(choicesQuery);
  return (
    <Card aria-labelledby="choices" className="@container/choices">
      <CardHead id="choices" title={t("choices")} note={sendsMail ? t("choicesNote") : null} />
      <div className="border-t px-5 py-4">
        {error && !data ? <QueryFailure error={error} onRetry={() => void refetch()} /> : null}
        {data || error ? null : (
          <Skeleton className={cn("w-full max-w-xl", sendsMail ? "h-110" : "h-36")} />
        )}
        {data ? (
          <div className="grid grid-cols-1 gap-x-10 gap-y-4 @[40rem]/choices:grid-cols-2">
            <MailNote mail={data.mail} />
            {data.mail === "off" ? null : (
              <ul className="grid gap-0.5">
                {data.kinds.map((choice) => (
                  <ChoiceRow key={choice.kind} choice={choice} />
                ))}
              </ul>
            )}
            <ForRole needs="changeAccount">
              <DaysChoice days={data.lowBalanceDays} />
            </ForRole>
          </div>
        ) : null}
      </div>
    </Card>
  );
}
