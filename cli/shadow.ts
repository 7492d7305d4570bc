import { type FileHandle, open } from "node:fs/promises";
import { type Product, products } from "@/lib/import/book";
import { type ShadowLine, type ShadowSum, shadow } from "@/lib/import/shadow";
import { shadowCauses } from "@/lib/import/shadow-cause";
import { formatPoints, pointsNumber } from "@/lib/money/points";
import { csvLine, csvLines } from "@/lib/values/csv";
import type { Command, Report } from "./command";
import { openNamed, SOURCE, sourceOf } from "./import-source";
import { table } from "./table";

/** Of each cause. */
const EXAMPLES_MAX = 5;

const columns = [
  ...["id", "time", "user", "model", "input_tokens", "output_tokens", "quota"],
  ...["theirs", "ours", "difference", "cause"],
];

const difference = ({ theirs, ours }: ShadowLine) => (ours === null ? null : ours - theirs);

const fieldsOf = (line: ShadowLine) => {
  const gap = difference(line);
  return [
    ...[line.id, line.at.toISOString(), line.user, line.model, line.inputTokens, line.outputTokens],
    ...[line.quota.toString(), formatPoints(line.theirs)],
    ...[
      line.ours === null ? null : formatPoints(line.ours),
      gap === null ? null : formatPoints(gap),
    ],
    line.cause,
  ];
};

const sumOf = ({ lines, theirs, ours }: ShadowSum) => ({
  lines,
  theirs: pointsNumber(theirs),
  ours: pointsNumber(ours),
  difference: pointsNumber(ours - theirs),
});

/** The first lines of each cause but that of no difference. */
function exampleKeeper() {
  const kept = new Map<string, ShadowLine[]>();
  return {
    see(lines: readonly ShadowLine[]) {
      for (const line of lines) {
        const some = kept.get(line.cause) ?? [];
        if (line.cause === "equal" || some.length >= EXAMPLES_MAX) continue;
        some.push(line);
        kept.set(line.cause, some);
      }
    },
    examples: () =>
      [...kept.values()].flat().map((line) => ({
        ...{ id: line.id, model: line.model, cause: line.cause },
        theirs: pointsNumber(line.theirs),
        ours: line.ours === null ? null : pointsNumber(line.ours),
      })),
  };
}

async function withFile<Result>(
  path: string | null,
  work: (file: FileHandle | null) => Promise<Result>,
): Promise<Result> {
  const file = path === null ? null : await open(path, "w");
  try {
    await file?.write(csvLine(columns));
    return await work(file);
  } finally {
    await file?.close();
  }
}

const shadowOf = (product: Product): Command => ({
  usage: `${SOURCE} [--from ISO] [--to ISO] [--csv FILE]\n      (what its log charged beside what we would have charged; the file gets every line)`,
  async run(installation, flags): Promise<Report> {
    const source = sourceOf(product, flags);
    const [since, until, path] = [flags.moment("from"), flags.moment("to"), flags.optional("csv")];
    const kept = exampleKeeper();
    const from = await openNamed(flags);
    const found = await withFile(path, (file) =>
      installation.patiently((client) =>
        shadow({
          ...{ client, source, from, since, until },
          async onLines(lines) {
            kept.see(lines);
            await file?.write(csvLines(lines.map(fieldsOf)));
          },
        }),
      ),
    ).finally(() => from.close());
    const causes = shadowCauses.flatMap((cause) => {
      const sum = found.byCause.get(cause);
      return sum === undefined ? [] : [{ cause, ...sumOf(sum) }];
    });
    const models = [...found.byModel].map(([model, sum]) => ({ model, ...sumOf(sum) }));
    const [total, examples] = [sumOf(found.total), kept.examples()];
    return {
      json: { total, causes, models, examples },
      text: [table([total]), table(causes), table(models), table(examples)].join("\n\n"),
    };
  },
});

const [newApi, oneApi] = products;

export const shadowCommands = { [newApi]: shadowOf(newApi), [oneApi]: shadowOf(oneApi) };
