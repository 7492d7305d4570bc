/** Counts the limits of all workers, in the primary process. */
import type { FromWorker } from "@/lib/cluster/messages";
import type { Grant } from "@/lib/limits/leased-counts";
import { WindowAuthority } from "@/lib/limits/window-authority";
import type { Member } from "./member";

export interface ClusterLimits {
  hear(member: Member, message: Extract<FromWorker, { readonly kind: "limits" }>): void;
  forget(member: Member): void;
}

export function openClusterLimits(
  workers: number,
  memberOf: (number: number) => Member | undefined,
): ClusterLimits {
  const authority = new WindowAuthority({
    workers,
    recall: (worker, name) => memberOf(worker)?.tell({ kind: "recall", names: [name] }),
  });
  return {
    hear(member, { reports, asks, recalled }) {
      const { number } = member;
      for (const report of reports) authority.report(number, report);
      for (const name of recalled) authority.recalled(number, name);
      let grants: Grant[] | null = [];
      for (const ask of asks)
        authority.ask(number, ask, (grant) => {
          // What is answered at once goes in one message.
          if (grants === null) member.tell({ kind: "granted", grants: [grant] });
          else grants.push(grant);
        });
      if (grants.length > 0) member.tell({ kind: "granted", grants });
      grants = null;
    },
    forget: ({ number }) => authority.forget(number),
  };
}
