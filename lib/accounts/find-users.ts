/** Users as the command line lists them. */
import type pg from "pg";
import { likeText } from "./find-accounts";

export interface FoundUser {
  readonly accountId: string;
  readonly email: string;
  readonly isOperator: boolean;
  /** Of the account. */
  readonly status: "active" | "suspended" | "closed";
  readonly createdAt: Date;
}

/** Those whose address contains `emailPart`, newest first. */
export async function findUsers(pool: pg.Pool, { emailPart, limit }: { emailPart: string; limit: number }): Promise<FoundUser[]> {
  const { rows } = await pool.query<FoundUser>(
    `select u.account_id as "accountId", u.email, u.is_operator as "isOperator", a.status, u.created_at as "createdAt"
       from "user" u join account a on a.id = u.account_id
      where u.email like $1 order by u.created_at desc limit $2`,
    [`%${likeText(emailPart.toLowerCase())}%`, limit],
  );
  return rows;
}
