import { findAll } from "@/lib/notifications/find";
import { connect } from "@/testing/ledger/test-ledger";

/** Looks for what people must be told, in several processes at once, none of which waits for another. */
export async function findTogether(url: string): Promise<void> {
  const clients = await Promise.all([connect(url), connect(url), connect(url)]);
  await Promise.all(clients.map((each) => findAll(each)));
  await Promise.all(clients.map((each) => each.end()));
}
