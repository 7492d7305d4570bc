/** What a shell offers after `relay`: the nouns, their verbs, and the options of each command. */
import { type AnyCommand, type BareCommand, optionsOf } from "./command";

type Verbs = Readonly<Record<string, AnyCommand>>;
type Nouns = Readonly<Record<string, () => Promise<Verbs>>>;

/** What may follow the words of a command that are there. */
interface Offer {
  readonly after: string;
  readonly words: readonly string[];
  /** Whether more words may be between: a noun without verbs is followed by its options alone. */
  readonly isLast: boolean;
}

const optionWords = (command: AnyCommand) =>
  Object.keys(optionsOf(command)).map((name) => `--${name}`);

async function offersOf(nouns: Nouns): Promise<Offer[]> {
  const ofNouns = await Promise.all(
    Object.entries(nouns).map(async ([noun, load]): Promise<Offer[]> => {
      const verbs = Object.entries(await load());
      const [first] = verbs;
      if (first?.[0] === "") return [{ after: noun, words: optionWords(first[1]), isLast: true }];
      return [
        { after: noun, words: verbs.map(([verb]) => verb), isLast: false },
        ...verbs.map(([verb, one]) => ({
          after: `${noun} ${verb}`,
          words: optionWords(one),
          isLast: true,
        })),
      ];
    }),
  );
  return [{ after: "", words: Object.keys(nouns), isLast: false }, ...ofNouns.flat()];
}

const cases = (offers: readonly Offer[]) =>
  offers
    .map(({ after, words, isLast }) => {
      const pattern = isLast ? `"${after}"|"${after} "*` : `"${after}"`;
      return `    ${pattern}) offered="${words.join(" ")}" ;;`;
    })
    .join("\n");

const shells: Readonly<Record<string, (offers: readonly Offer[]) => string>> = {
  bash: (offers) => `_relay() {
  local offered="" before="\${COMP_WORDS[*]:1:COMP_CWORD-1}"
  case "$before" in
${cases(offers)}
  esac
  COMPREPLY=($(compgen -W "$offered" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _relay relay`,
  zsh: (offers) => `_relay() {
  local offered="" before="\${(j: :)words[2,CURRENT-1]}"
  case "$before" in
${cases(offers)}
  esac
  compadd -- \${=offered}
}
compdef _relay relay`,
  fish: (offers) =>
    [
      "function __relay_before",
      "  set -l words (commandline -opc)",
      "  set -e words[1]",
      "  string join ' ' -- $words",
      "end",
      "complete -c relay -f",
      ...offers.map(({ after, words, isLast }) => {
        const pattern = isLast ? `^${after}( |$)` : `^${after}$`;
        return `complete -c relay -n "string match -rq '${pattern}' -- (__relay_before; or echo)" -a "${words.join(" ")}"`;
      }),
    ].join("\n"),
};

const commandOf = (shell: string, nouns: Nouns): BareCommand => ({
  usage: `   (a script for ${shell} that completes \`relay\`)`,
  async runBare() {
    const script = shells[shell]?.(await offersOf(nouns)) ?? "";
    return { json: { script }, text: script };
  },
});

export const completionCommands = (nouns: Nouns): Verbs =>
  Object.fromEntries(Object.keys(shells).map((shell) => [shell, commandOf(shell, nouns)]));
