import pg from "pg";
import { productVariables } from "./product";

/**
 * Lets the day of the budgets of a user's account end now: the database counts in its own time, so
 * a test that waits for midnight moves midnight.
 */
export async function letTheDayEnd(email: string): Promise<void> {
  const client = new pg.Client({ connectionString: productVariables().DATABASE_OWNER_URL });
  try {
    await client.connect();
    const { rowCount } = await client.query(
      `update api_key_budget b set ends_at = clock_timestamp()
         from "user" u where u.email = $1 and b.account_id = u.account_id and b.kind = 'day'`,
      [email],
    );
    if (rowCount === 0) throw new Error(`${email} has no budget of a day`);
  } finally {
    await client.end();
  }
}
