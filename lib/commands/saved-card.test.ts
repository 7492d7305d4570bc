import { expect, test } from "vitest";
import { DatabaseProxy } from "@/testing/ledger/database-proxy";
import { startAutoTopupSite } from "@/testing/topup/auto-topup-site";
import { opened } from "@/testing/unit/opened";
import { openPool } from "../db/pool";
import { checkSavedCard, startSavingCard } from "./saved-card";

const site = await opened(startAutoTopupSite());
const proxy = await opened(DatabaseProxy.start(site.site.databaseUrl));
const pool = await opened(openPool(proxy.url, 2));

const recordsOf = (accountId: string) =>
  site.rowsOf<{ action: string }>(
    "select action from operator_action where subject = $1 order by seq",
    accountId,
  );

test.each([
  ["its record", /insert into ["\w.]*operator_action/i],
  ["its commit", /^.{0,20}\bcommit\b/i],
])(
  "a card whose saving is cut off before %s is not saved; asked again, it is saved and recorded once",
  async (_, breaksAt) => {
    const accountId = await site.payments.newAccount();
    const page = { accountId, returnUrl: site.returnUrl };
    await startSavingCard(site.deps, site.fake.stripe, "user_1", page);
    const { id, session_id: sessionId } = await site.checkoutOf(accountId);
    site.fake.payBy(sessionId, "good");
    proxy.cutsRequest = (request) => breaksAt.test(request.toString("latin1"));
    const asked = { accountId, id };
    await expect(checkSavedCard({ pool }, site.fake.stripe, asked)).rejects.toThrow();
    proxy.cutsRequest = () => false;
    expect(await site.stateOf(accountId)).toMatchObject({ card_id: null });
    expect(await recordsOf(accountId)).toEqual([]);
    await site.age(accountId, "1 minute");
    await Promise.all([1, 2].map(() => checkSavedCard({ pool }, site.fake.stripe, asked)));
    await site.age(accountId, "1 minute");
    await checkSavedCard({ pool }, site.fake.stripe, asked);
    expect(await site.stateOf(accountId)).toMatchObject({ card_last4: "4242" });
    expect(await recordsOf(accountId)).toEqual([{ action: "card.save" }]);
  },
);
