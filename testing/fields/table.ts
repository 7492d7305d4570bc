/** `docs/fields.md`, made of what becomes of each documented field. */
import { fieldTables } from "./documented";
import { outcomes, outcomesOf } from "./outcomes";

/** Rows as the formatter writes them: each column as wide as its widest cell. */
function tableOf(rows: readonly (readonly string[])[]): string {
  const [head = [], ...body] = rows;
  const widths = head.map((_, at) => Math.max(...rows.map((row) => (row[at] ?? "").length)));
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, at) => (cells[at] ?? "").padEnd(width)).join(" | ")} |`;
  const rule = `| ${widths.map((width) => "-".repeat(width)).join(" | ")} |`;
  return [line(head), rule, ...body.map(line)].join("\n");
}

async function sectionOf(table: (typeof fieldTables)[number]): Promise<string> {
  const found = await outcomesOf(table);
  const counts = outcomes
    .map((outcome) => [outcome, found.filter((each) => each.outcome === outcome).length] as const)
    .filter(([, count]) => count > 0)
    .map(([outcome, count]) => `${count} ${outcome}`);
  const good = found.filter(isGood).length;
  const rows = found.map(({ field, outcome, clients }) => [
    `\`${field}\``,
    outcome,
    clients.length === 0 ? "–" : clients.join(", "),
  ]);
  return `## ${table.name}: \`${table.endpoint}\`

${counts.join(", ")}: ${Math.round((good * 100) / found.length)} of 100 priced or passed.

${tableOf([["field", "what becomes of it", "clients whose types have it"], ...rows])}`;
}

type Found = Awaited<ReturnType<typeof outcomesOf>>[number];
const isGood = ({ outcome }: Found) => outcome === "passed" || outcome === "priced";

/** The share of fields, in percent, that reach an upstream or have a price. */
export async function sharePassed(names: readonly string[]): Promise<number> {
  const tables = fieldTables.filter(({ name }) => names.includes(name));
  const found = (await Promise.all(tables.map(outcomesOf))).flat();
  return (found.filter(isGood).length * 100) / found.length;
}

export async function fieldsText(): Promise<string> {
  const sections = await Promise.all(fieldTables.map(sectionOf));
  return `# Fields

What becomes of each documented field, for a model that offers all of it and has a rate for each
case. "Priced": the order holds, or would cost, another amount because of it. "Passed": it reaches the upstream, or
we do what it says. "Neutral value only": what changes nothing is accepted, and anything else refused by name.
"Left out and named": it does not reach the upstream, and \`x-relay-ignored-fields\` says so. A model that does not offer a
field refuses it by name. Of text, each byte that reaches the upstream is held as input. "OpenAI SDK 7" is openai 7.59, which
needs Node.js 22: \`server/newest-clients.whole.test.ts\` sends what its types have.

This page is made from \`testing/fields\`: \`npx vitest run server/fields.test.ts -u\` writes it.

${sections.join("\n\n")}
`;
}
