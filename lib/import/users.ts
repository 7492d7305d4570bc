import { isMovedHash } from "../accounts/password";
import { noteMoved } from "../commands/note-moved";
import { isMailAddress } from "../contract/email-shape";
import { NAME_LENGTH_MAX } from "../contract/limits";
import { isShownText } from "../contract/shown-rule";
import { newId } from "../crypto/ids";
import { transact } from "../db/transaction";
import { openMovedWallets } from "../ledger/core/moved-balances";
import { formatPoints, MICROPOINTS_MAX, type Micropoints } from "../money/points";
import { readMovedBalances, rememberMoved } from "./book";
import type { ImportContext } from "./context";
import { pointsOfQuota } from "./rate";
import { isDeleted, moment, type SourceRow, text, whole } from "./sources/source";
import { StillOn } from "./still-on";
import { groupWithout } from "./subscriptions";

interface MovedUser {
  readonly id: string;
  readonly accountId: string;
  readonly foreignId: string;
  readonly email: string;
  readonly isVerified: boolean;
  readonly name: string | null;
  readonly passwordHash: string | null;
  readonly groupId: string | null;
  readonly isSuspended: boolean;
  readonly createdAt: Date;
  readonly quota: bigint;
  readonly points: Micropoints;
}

const DISABLED = "2";
/** one-api's own mark of a deleted user. */
const DELETED = "3";
const COMMON_USER = 1n;

/** Where the source has none: it ends in a name that exists nowhere. */
const addressFor = (source: string, id: string) => `${source}-user-${id}@moved.invalid`;

/** The addresses that have a user here, or are to have one. */
async function takenAddresses({ client }: ImportContext, emails: string[]): Promise<Set<string>> {
  const { rows } = await client.query<{ email: string }>(
    `select email from "user" where email = any($1) union select email from user_link where email = any($1)`,
    [emails],
  );
  return new Set(rows.map(({ email }) => email));
}

function emailOf(context: ImportContext, row: SourceRow, taken: Set<string>) {
  const { report, source } = context;
  const [id, email] = [text(row, "id"), text(row, "email").trim().toLowerCase()];
  const label = `${id} ${text(row, "username")}`;
  const own = { email: addressFor(source.name, id), isVerified: false };
  if (!isMailAddress(email)) {
    report.remark(
      "users",
      label,
      "has no address: keys and points work, and the account gets an address that leads nowhere",
    );
    return own;
  }
  if (taken.has(email)) {
    report.remark(
      "users",
      label,
      "the address has a user here: the account gets one that leads nowhere",
    );
    return own;
  }
  taken.add(email);
  // The source stores an address once its owner has confirmed it.
  return { email, isVerified: true };
}

function balanceOf({ report, source }: ImportContext, label: string, quota: bigint): Micropoints {
  if (quota >= 0n) return pointsOfQuota(quota, source.quotaPerPoint);
  report.remark(
    "users",
    `${label}: ${quota}`,
    "owes quota, which is not taken over: the balance is 0",
  );
  return 0n;
}

/** Says what a user has there beside the balance. Returns the group without it. */
function groupOf({ report, subscriptions }: ImportContext, row: SourceRow, label: string): string {
  const group = text(row, "group");
  const [own, invited] = [subscriptions.get(text(row, "id")) ?? [], whole(row, "aff_quota")];
  if (invited > 0n)
    report.remark(
      "users",
      `${label}: ${invited}`,
      "has quota for invitations that is not in the balance: not taken over",
    );
  return groupWithout(own, group);
}

const isGone = (row: SourceRow) => isDeleted(row) || text(row, "status") === DELETED;
const isUserOn = (row: SourceRow) => !isGone(row) && text(row, "status") !== DISABLED;

/** Null where it cannot move. */
function decide(context: ImportContext, row: SourceRow, taken: Set<string>): MovedUser | null {
  const { report, moved } = context;
  const foreignId = text(row, "id");
  const label = `${foreignId} ${text(row, "username")}`;
  const leave = (reason: string) => {
    report.leave("users", label, reason);
    return null;
  };
  if (isGone(row)) return leave("was deleted there");
  const group = groupOf(context, row, label);
  if (group !== "" && !moved.groups.has(group)) return leave(`its group ${group} did not move`);
  const quota = whole(row, "quota");
  const points = balanceOf(context, label, quota);
  if (points > MICROPOINTS_MAX)
    return leave(`its balance ${quota} is above what an account can have`);
  const hash = text(row, "password");
  const passwordHash = isMovedHash(hash) ? hash : null;
  if (passwordHash === null)
    report.remark("users", label, "its password cannot be checked here: it is reset by mail");
  if (whole(row, "role") > COMMON_USER)
    report.remark("users", label, "is an administrator there, and no operator here");
  const isSuspended = text(row, "status") === DISABLED;
  if (isSuspended) report.remark("users", label, "is disabled there: the account is suspended");
  const name = text(row, "display_name").trim() || text(row, "username").trim();
  return {
    id: newId("user"),
    accountId: newId("account"),
    foreignId,
    ...emailOf(context, row, taken),
    name: isShownText(name) && name !== "" ? name.slice(0, NAME_LENGTH_MAX) : null,
    passwordHash,
    groupId: moved.groups.get(group) || null,
    isSuspended,
    createdAt: moment(row, "created_at") ?? new Date(),
    quota: quota > 0n ? quota : 0n,
    points,
  };
}

async function writeUsers(context: ImportContext, users: readonly MovedUser[]): Promise<void> {
  const { client, source, actor } = context;
  const column = <Value>(of: (user: MovedUser) => Value) => users.map(of);
  await client.query(
    `insert into account (id, group_id, status, suspended_at, suspended_reason, created_at, opened_at)
     select id, g, case when off then 'suspended' else 'active' end,
            case when off then now() end, case when off then $5 end, made, now()
       from unnest($1::text[], $2::text[], $3::boolean[], $4::timestamptz[]) u(id, g, off, made)`,
    [
      column(({ accountId }) => accountId),
      column(({ groupId }) => groupId),
      column(({ isSuspended }) => isSuspended),
      column(({ createdAt }) => createdAt),
      `It was disabled at ${source.name}.`,
    ],
  );
  await client.query(
    `insert into "user" (id, account_id, email, email_verified_at, name, password_hash, created_at)
     select id, account, email, case when known then made end, name, hash, made
       from unnest($1::text[], $2::text[], $3::text[], $4::boolean[], $5::text[], $6::text[], $7::timestamptz[])
            u(id, account, email, known, name, hash, made)`,
    [
      column(({ id }) => id),
      column(({ accountId }) => accountId),
      column(({ email }) => email),
      column(({ isVerified }) => isVerified),
      column(({ name }) => name),
      column(({ passwordHash }) => passwordHash),
      column(({ createdAt }) => createdAt),
    ],
  );
  await openMovedWallets(
    client,
    users.map(({ accountId, foreignId, points }) => ({
      accountId,
      ref: `import:${source.name}:${foreignId}`,
      amount: points,
    })),
    { reason: `Balance from ${source.name}`, actor },
  );
  const rows = users.map(({ foreignId, accountId, quota }) => ({
    foreignId,
    targetId: accountId,
    quota,
  }));
  await rememberMoved(client, source.name, "user", rows);
  const points = formatPoints(users.reduce((sum, user) => sum + user.points, 0n));
  await noteMoved(client, actor, {
    source: source.name,
    what: "users",
    count: users.length,
    points,
  });
}

/** Says whose balance there is another one than the one that moved. */
async function compareKnown(context: ImportContext, rows: readonly SourceRow[]): Promise<void> {
  const { client, source, report, moved } = context;
  const known = rows.filter((row) => moved.users.has(text(row, "id")));
  report.counts.users.known += known.length;
  const ids = known.map((row) => text(row, "id"));
  const balances = await readMovedBalances(client, source.name, "user", ids);
  for (const row of known) {
    const [id, quota] = [text(row, "id"), whole(row, "quota")];
    const before = balances.get(id) ?? 0n;
    if ((quota > 0n ? quota : 0n) !== before)
      report.remark(
        "users",
        `${id}: ${before} then, ${quota} now`,
        "its balance there changed since it moved: not taken over",
      );
  }
}

/** Makes an account of each user, with the balance as one entry of its ledger. */
export async function moveUsers(context: ImportContext): Promise<void> {
  const { client, from, report, moved, isDry } = context;
  const taken = new Set<string>();
  const stillOn = new StillOn("users", moved.users, isUserOn);
  for await (const rows of from.rows("users")) {
    stillOn.see(rows);
    report.counts.users.found += rows.length;
    await compareKnown(context, rows);
    const fresh = rows.filter((row) => !moved.users.has(text(row, "id")));
    const emails = fresh.map((row) => text(row, "email").trim().toLowerCase());
    for (const email of await takenAddresses(context, emails)) taken.add(email);
    const users = fresh.flatMap((row) => decide(context, row, taken) ?? []);
    if (!isDry && users.length > 0) await transact(client, () => writeUsers(context, users));
    for (const { foreignId, accountId, quota, points } of users) {
      moved.users.set(foreignId, accountId);
      report.took("users", { quota, points });
    }
    report.progress("users");
  }
  await stillOn.tell(context);
}
