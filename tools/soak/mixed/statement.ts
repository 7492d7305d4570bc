/** The statement of the account, as its owner sees it in the browser. */
import { z } from "zod";
import { pageEndpoints } from "@/lib/contract/page-endpoints";
import { signIn } from "@/testing/product/sign-in";
import { PASSWORD } from "@/testing/stage/command-line";
import { EMAIL } from "../installation";
import type { Stage } from "./stage";

const statement = z.object({ closing: z.string(), charges: z.string() });
const DAY_MS = 86_400_000;

/** Points of an answer, such as "12.345678", in micropoints. */
function microPoints(text: string): bigint {
  const [whole = "0", part = ""] = text.split(".");
  return BigInt(whole + part.padEnd(6, "0"));
}

/** The charges of all days, in micropoints. */
export async function statementCharges({ steady }: Stage): Promise<bigint> {
  const { url } = steady;
  const cookie = await signIn(url, EMAIL, PASSWORD);
  const day = (offset: number) => new Date(Date.now() + offset * DAY_MS).toISOString().slice(0, 10);
  const answer = await fetch(
    `${url}${pageEndpoints.showStatement.path}?from=${day(-3)}&to=${day(0)}`,
    {
      headers: { cookie },
    },
  );
  if (!answer.ok) throw new Error(`the statement was not served: ${await answer.text()}`);
  return microPoints(statement.parse(await answer.json()).charges);
}
