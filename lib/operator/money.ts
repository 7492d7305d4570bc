import type { z } from "zod";
import type { moneyQuery } from "../contract/operator-money";
import { RelayError } from "../errors";
import { SiteFile } from "../http/site-file";
import { auditNow, lastAudit } from "../ledger/audit-runs";
import { auditView, moneyCsv } from "../queries/money";
import type { Call } from "../site/call";

export async function downloadMoney({ parts, query }: Call<unknown, z.output<typeof moneyQuery>>) {
  const { from, lines } = await moneyCsv(parts, query);
  return new SiteFile(`money-${from}-${query.days}-days.csv`, lines);
}

export async function runAuditNow({ parts, user }: Call) {
  await auditNow(parts.databaseUrl, user().userId);
  const audit = await lastAudit(parts.pool);
  if (audit === null) throw new RelayError("internal_error");
  return { audit: auditView(audit) };
}
