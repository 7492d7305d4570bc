/** Python libraries, each behind a class of `../python`. A call is a sample that runs there. */
import { fileURLToPath } from "node:url";
import type { Sample } from "@/lib/client/samples";
import { errorNames, type Place, type Said, type TextLibrary } from "./text-library";

/** Where Python finds the classes. */
export const pythonPath = fileURLToPath(new URL("../python", import.meta.url));

export type RunPython = (sample: Sample) => Promise<string>;

const namesInPython = { ...errorNames, 402: "APIStatusError" };

interface Terms extends Pick<TextLibrary, "name" | "dialect"> {
  readonly module: "text_libraries" | "langchain_library";
  readonly className: string;
  readonly makesNoObject?: true;
  readonly errorNames?: TextLibrary["errorNames"];
  readonly heedsRefusals?: boolean;
}

function library(run: () => RunPython, terms: Terms): TextLibrary {
  const { name, dialect, module, className, makesNoObject, heedsRefusals = true } = terms;
  async function perform(place: Place, what: string, ...words: unknown[]) {
    const given = [module, className, place, what, ...words].map((word) => JSON.stringify(word));
    const list = given.map((word) => (word === "null" ? "None" : word)).join(", ");
    const text = list.replace(/\b(true|false)\b(?=, |$)/g, (word) =>
      word === "true" ? "True" : "False",
    );
    const code = `import openai\nimport ${module}\nfrom perform import perform\nperform(${text})\n`;
    const { result, error } = JSON.parse(await run()({ language: "python", code }));
    if (error) throw Object.assign(new Error(error.message), error);
    return result;
  }
  return {
    name,
    dialect,
    heedsRefusals,
    errorNames: terms.errorNames ?? namesInPython,
    say: (place, prompt): Promise<Said> => perform(place, "say", prompt),
    stream: (place, prompt, leaveAfter): Promise<Said> =>
      perform(place, "stream", prompt, leaveAfter ?? null),
    callTool: (place, isStream) => perform(place, "call_tool", isStream),
    ...(makesNoObject ? {} : { makeObject: (place: Place) => perform(place, "make_object") }),
  };
}

export function pythonLibraries(run: () => RunPython) {
  const ofOpenai = { module: "text_libraries" } as const;
  const langChainNames = { ...namesInPython, 502: "OpenAIAPIError" };
  const ofOthers = { module: "langchain_library", heedsRefusals: false } as const;
  const [chat, responses] = ["chat completions", "responses"];
  return [
    library(run, { ...ofOpenai, name: `openai, ${chat}`, dialect: null, className: "Chat" }),
    library(run, {
      ...{ ...ofOpenai, name: `openai, ${responses}`, dialect: "responses" },
      className: "Responses",
    }),
    library(run, {
      ...{ ...ofOpenai, name: "anthropic", dialect: "messages" },
      ...{ className: "Messages", makesNoObject: true },
      errorNames: { ...errorNames, 402: "PaymentRequiredError" },
    }),
    library(run, {
      ...{ ...ofOthers, name: `langchain_openai, ${chat}`, dialect: null },
      className: "LangChain",
      errorNames: langChainNames,
    }),
    library(run, {
      ...{ ...ofOthers, name: `langchain_openai, ${responses}`, dialect: "responses" },
      className: "LangChainResponses",
      errorNames: langChainNames,
    }),
    library(run, {
      ...{ ...ofOthers, name: "llama_index", dialect: null },
      ...{ className: "LlamaIndex", makesNoObject: true },
    }),
  ];
}
