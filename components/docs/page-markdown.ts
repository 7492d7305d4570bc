/** The text of a page of the documentation as Markdown, from what the page shows. */

const SKIPPED = "nav, button, form, svg, [role=tablist], [role=status], [data-uncopied]";

/** A line of text with its code and links. */
function lineOf(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? "").replace(/\s+/g, " ");
  if (!(node instanceof Element) || node.matches(SKIPPED)) return "";
  const text = [...node.childNodes].map(lineOf).join("");
  if (node instanceof HTMLAnchorElement) return `[${text.trim()}](${node.href})`;
  if (node.tagName === "CODE") return `\`${text}\``;
  return ["B", "STRONG"].includes(node.tagName) ? `**${text}**` : text;
}

const line = (element: Element) => lineOf(element).replace(/\s+/g, " ").trim();

function tableOf(table: Element): string {
  const rows = [...table.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => line(cell).replaceAll("|", "\\|")),
  );
  const [head = [], ...body] = rows;
  return [head, head.map(() => "---"), ...body].map((row) => `| ${row.join(" | ")} |`).join("\n");
}

const termsOf = (list: Element): string =>
  [...list.querySelectorAll("dt")]
    .map((term) => {
      const parts = [...(term.nextElementSibling?.children ?? [])].map(line);
      const said = parts.length > 0 ? parts.join(" ") : line(term.nextElementSibling ?? term);
      return `- ${line(term)}: ${said}`;
    })
    .join("\n");

function blocksOf(element: Element): string[] {
  if (element.matches(SKIPPED)) return [];
  const { tagName } = element;
  if (/^H[1-6]$/.test(tagName)) {
    // The link to itself is no part of a heading.
    const text = [...element.childNodes].filter((node) => !(node instanceof HTMLAnchorElement));
    return [`${"#".repeat(Number(tagName[1]))} ${text.map(lineOf).join("").trim()}`];
  }
  if (tagName === "PRE") return [`\`\`\`\n${element.textContent?.trimEnd() ?? ""}\n\`\`\``];
  if (tagName === "TABLE") return [tableOf(element)];
  if (tagName === "DL") return [termsOf(element)];
  if (tagName === "UL" || tagName === "OL")
    return [[...element.children].map((item) => `- ${line(item)}`).join("\n")];
  if (tagName === "P") return [line(element)];
  const hasBlocks = element.querySelector("p, h1, h2, h3, pre, ul, ol, dl, table") !== null;
  return hasBlocks ? [...element.children].flatMap(blocksOf) : [line(element)];
}

export const pageMarkdown = (root: Element): string =>
  `${blocksOf(root)
    .filter((block) => block !== "")
    .join("\n\n")}\n`;
