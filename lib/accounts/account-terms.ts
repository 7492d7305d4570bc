/** The terms of an account: what it pays for each model, and which models it may see. */
import type { Reader } from "../db/pool";
import { RelayError } from "../failures/relay-error";
import { type Multipliers, modelsWithOwn, multiplierOf } from "./multiplier-rule";

export interface AccountTerms {
  /** Null without a group. */
  readonly groupId: string | null;
  /** Parts per million; `model` null: for all models. */
  multiplierPpm(model: string | null): number;
  sees(model: string): boolean;
  readonly keepsContent: boolean;
  /** The models with a multiplier that is not the one for all. */
  readonly exceptions: readonly string[];
}

interface StoredGroup {
  readonly id: string;
  readonly ppm: number | null;
  readonly multipliers: Readonly<Record<string, number>> | null;
  readonly models: readonly string[];
}

export interface StoredTerms {
  readonly own_multiplier_ppm: number | null;
  readonly model_multipliers: Readonly<Record<string, number>> | null;
  readonly keeps_content: boolean;
  readonly group_id: string | null;
  readonly group_terms: StoredGroup | null;
}

/** The group of `account a`, as JSON. */
export const groupColumn = `(select json_build_object('id', g.id, 'ppm', g.multiplier_ppm, 'models', g.models,
      'multipliers', (select json_object_agg(m.model, m.multiplier_ppm) from account_group_multiplier m where m.group_id = g.id))
    from account_group g where g.id = a.group_id)`;

/** The terms of `account a`, without its group. */
export const ownColumns = `a.own_multiplier_ppm, a.group_id, a.content_days is not null as keeps_content,
    (select json_object_agg(m.model, m.multiplier_ppm) from account_model_multiplier m where m.account_id = a.id) as model_multipliers`;

const mapOf = (stored: Readonly<Record<string, number>> | null) =>
  new Map(Object.entries(stored ?? {}));

/** A group as its members share it. */
export interface GroupTerms extends Multipliers {
  readonly id: string;
  /** Null for all. */
  readonly seen: ReadonlySet<string> | null;
}

export const groupOf = ({ id, ppm, multipliers, models }: StoredGroup): GroupTerms => ({
  id,
  ppm,
  byModel: mapOf(multipliers),
  seen: models.length === 0 ? null : new Set(models),
});

export function termsOf(
  {
    own_multiplier_ppm,
    model_multipliers,
    keeps_content,
  }: Pick<StoredTerms, "own_multiplier_ppm" | "model_multipliers" | "keeps_content">,
  group: GroupTerms | null,
): AccountTerms {
  const own = { ppm: own_multiplier_ppm, byModel: mapOf(model_multipliers) };
  return {
    groupId: group?.id ?? null,
    keepsContent: keeps_content,
    multiplierPpm: (model) => multiplierOf(own, group, model),
    sees: (model) => group?.seen?.has(model) ?? true,
    exceptions: modelsWithOwn(own, group),
  };
}

const byId = `select a.status, ${ownColumns}, ${groupColumn} as group_terms from account a where a.id = $1`;

/**
 * The terms of one account and its status; null when there is none. Rejects with
 * `database_unavailable`.
 */
export async function readTerms(
  pool: Reader,
  accountId: string,
): Promise<(AccountTerms & { readonly status: string }) | null> {
  const { rows } = await pool
    .query<StoredTerms & { readonly status: string }>(byId, [accountId])
    .catch((cause: unknown) => {
      throw new RelayError("database_unavailable", { cause, internal: "account look-up failed" });
    });
  const [row] = rows;
  if (row === undefined) return null;
  const group = row.group_terms === null ? null : groupOf(row.group_terms);
  return { ...termsOf(row, group), status: row.status };
}
