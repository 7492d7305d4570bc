/** A choice of how a page looks, remembered in this browser. */
import { keepText, useKeptText } from "./browser-keeps";

/** One of `options`; the first until another was chosen. */
export function useKeptChoice<Value extends string>(
  choice: string,
  options: readonly [Value, ...Value[]],
): [Value, (value: Value) => void] {
  const name = `relay.choice.${choice}`;
  const kept = useKeptText(name, null);
  const value = options.find((each) => each === kept) ?? options[0];
  return [value, (next) => keepText(name, next)];
}
