import { Fragment } from "react";

/** A path that may wrap after its slashes. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=\/)/).map((step, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a path never change their order
    <Fragment key={place}>
      {place > 0 ? <wbr /> : null}
      {step}
    </Fragment>
  ));
}
