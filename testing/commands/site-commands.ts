/**
 * The commands about the installation, channels, prices and sales, each with the state it needs.
 */
import * as channels from "@/lib/commands/channels";
import * as databaseCommands from "@/lib/commands/database";
import * as incidents from "@/lib/commands/incidents";
import * as invites from "@/lib/commands/invites";
import * as ledgerCommands from "@/lib/commands/ledger";
import * as packages from "@/lib/commands/packages";
import * as payments from "@/lib/commands/payments";
import * as prices from "@/lib/commands/prices";
import { removeChannel } from "@/lib/commands/remove-channel";
import * as settings from "@/lib/commands/settings";
import * as tasks from "@/lib/commands/tasks";
import { testChannel } from "@/lib/commands/test-channel";
import { setUpstreamAlarm } from "@/lib/commands/upstream-alarm";
import * as upstreamBills from "@/lib/commands/upstream-bills";
import { setPriceList } from "@/lib/commands/upstream-price-lists";
import { noteUpstreamPrice } from "@/lib/commands/upstream-prices";
import * as vouchers from "@/lib/commands/vouchers";
import {
  actor,
  type BrokenOffCommand,
  commandOn,
  newChannel,
  newDeadNode,
  newPayment,
  newTask,
  nextNumber,
  prepared,
  storedChannel,
} from "./seed";

const terms = {
  name: "P",
  note: null,
  points: 1n,
  amount: 1,
  currency: "eur",
  isEnabled: true,
  position: 0,
};

export const channelCommands: readonly BrokenOffCommand[] = [
  {
    action: "channel.create",
    prepare: async () => (deps) => channels.createChannel(deps, actor, newChannel()),
  },
  commandOn("channel.change", storedChannel, (deps, { id }) =>
    channels.changeChannel(deps, actor, { id, weight: 5, apiKey: "another" }),
  ),
  ...(["disabled", "draining"] as const).map(
    (state): BrokenOffCommand => ({
      action: state === "disabled" ? "channel.disable" : "channel.drain",
      async prepare(site) {
        const { id } = await storedChannel(site);
        return (deps) => channels.setChannelState(deps, actor, { id, state });
      },
    }),
  ),
  prepared("channel.enable", async (site) => {
    const { id } = await storedChannel(site);
    await channels.setChannelState(site.deps, actor, { id, state: "disabled" });
    return (deps) => channels.setChannelState(deps, actor, { id, state: "active" });
  }),
  ...[false, true].map(
    (isUsed): BrokenOffCommand => ({
      action: isUsed ? "channel.archive" : "channel.delete",
      async prepare(site) {
        const { id } = await storedChannel(site);
        await channels.setChannelState(site.deps, actor, { id, state: "disabled" });
        if (isUsed)
          await site.deps.database.channel.update({
            where: { id },
            data: { firstUsedAt: new Date() },
          });
        return (deps) => removeChannel(deps, actor, { id });
      },
    }),
  ),
  commandOn(
    "channel.test",
    storedChannel,
    (deps, { id }) => testChannel(deps, actor, { id, model: "RelayV1", isReal: false }),
    { isRecordAlone: true },
  ),
];

const incident = {
  titleEn: "Trouble",
  titleZh: null,
  models: [],
  beganAt: null,
  state: "resolved",
  textEn: "It is over.",
  textZh: null,
} as const;

const tomorrow = () => new Date(Date.now() + 24 * 3_600_000 + nextNumber());

export const priceCommands: readonly BrokenOffCommand[] = [
  {
    action: "price.set",
    prepare: async () => (deps) =>
      prices.setPrice(deps, actor, { model: "RelayV1", output: 7n, effectiveAt: null }),
  },
  prepared("price.withdraw", async ({ deps }) => {
    const { id } = await prices.setPrice(deps, actor, {
      model: "Super-Relay",
      output: BigInt(nextNumber()),
      effectiveAt: tomorrow(),
    });
    return (deps) => prices.withdrawPrice(deps, actor, { id });
  }),
  ...[{ currency: "CNY", input: 1n, output: 2n }, null].map(
    (price): BrokenOffCommand => ({
      action: "price.cost",
      what: price === null ? "taken away" : "noted",
      async prepare({ deps }) {
        const noted = { currency: "USD", input: 5n, output: 5n };
        await noteUpstreamPrice(deps, actor, { subject: "RelayV1", price: noted });
        return (deps) => noteUpstreamPrice(deps, actor, { subject: "RelayV1", price });
      },
    }),
  ),
  commandOn("upstream.alarm", storedChannel, (deps, { id: channelId }) =>
    setUpstreamAlarm(deps, actor, { channelId, below: 5n }),
  ),
  prepared("upstream.price_list", async (site) => {
    const { id: channelId } = await storedChannel(site);
    const list = { channelId, format: "new-api", address: null, currency: "USD" } as const;
    return (deps) => setPriceList(deps, actor, list);
  }),
  prepared("upstream.rates", async (site) => {
    const { id: channelId } = await storedChannel(site);
    const rates = [{ unit: "output_token", amount: 5n } as const];
    const noted = { channelId, model: "m", currency: "USD", rates, effectiveAt: new Date(0) };
    return (deps) => upstreamBills.noteUpstreamRates(deps, actor, noted);
  }),
  prepared("upstream.reconcile", async (site) => {
    const { id: channelId } = await storedChannel(site);
    const text = "id,time,model,cost\na,2026-11-02T03:04:05Z,m,1.5";
    const bill = { channelId, name: "a.csv", text, format: "csv", currency: "USD" } as const;
    return (deps) => upstreamBills.reconcileBill(deps, actor, bill);
  }),
];

const notice = {
  level: "info",
  textEn: "Soon",
  textZh: "很快",
  startsAt: null,
  endsAt: null,
} as const;
const batch = { name: "V", points: 5n, count: 3, expiresAt: null };
const invitation = { note: "for Ada", points: null, days: 1 };

export const siteCommands: readonly BrokenOffCommand[] = [
  {
    action: "setting.set",
    prepare: async () => (deps) =>
      settings.setLiveSetting(deps, actor, { name: "key_requests_per_minute", value: "7" }),
  },
  prepared("setting.unset", async ({ deps }) => {
    await settings.setLiveSetting(deps, actor, { name: "key_budget", value: "5" });
    return (deps) => settings.setLiveSetting(deps, actor, { name: "key_budget", value: null });
  }),
  {
    action: "notice.post",
    prepare: async () => (deps) => settings.postNotice(deps, actor, notice),
  },
  prepared("notice.end", async ({ deps }) => {
    const { id } = await settings.postNotice(deps, actor, notice);
    return (deps) => settings.endNotice(deps, actor, { id });
  }),
  {
    action: "incident.open",
    prepare: async () => (deps) => incidents.openIncident(deps, actor, incident),
  },
  prepared("incident.update", async ({ deps }) => {
    const { id } = await incidents.openIncident(deps, actor, incident);
    return (deps) => incidents.updateIncident(deps, actor, { ...incident, id });
  }),
  {
    action: "voucher.create",
    prepare: async () => (deps) => vouchers.createVouchers(deps, actor, batch),
  },
  prepared("voucher.cancel", async ({ deps }) => {
    const { batchId } = await vouchers.createVouchers(deps, actor, batch);
    return (deps) => vouchers.cancelVouchers(deps, actor, { batchId });
  }),
  {
    action: "package.create",
    prepare: async () => (deps) => packages.createPackage(deps, actor, terms),
  },
  prepared("package.change", async ({ deps }) => {
    const { id } = await packages.createPackage(deps, actor, terms);
    return (deps) => packages.changePackage(deps, actor, { id, amount: 7 });
  }),
  {
    action: "invite.create",
    prepare: async () => (deps) => invites.createInvite(deps, actor, invitation),
  },
  prepared("invite.revoke", async ({ deps }) => {
    const { invite } = await invites.createInvite(deps, actor, invitation);
    return (deps) => invites.revokeInvite(deps, actor, { id: invite.id });
  }),
  commandOn("payment.attend", newPayment, (deps, id) =>
    payments.attendPayment(deps, actor, { id }),
  ),
  commandOn("task.check", newTask, (deps, id) => tasks.checkTask(deps, actor, { id })),
  {
    action: "ledger.sweep",
    isRecordAlone: true,
    async prepare({ deps }) {
      await deps.ledger.sweep();
      return (deps) => ledgerCommands.sweepLedger(deps, actor);
    },
  },
  {
    action: "database.accept",
    isRecordAlone: true,
    prepare: async () => (deps) => databaseCommands.acceptDatabase(deps, actor, { count: 0 }),
  },
  commandOn("node.release", newDeadNode, (deps, id) =>
    ledgerCommands.releaseNode(deps, actor, { id }),
  ),
];
