import { Fragment } from "react";

/** A path that breaks after its slashes where the line is too short. */
export function PathText({ path }: { path: string }) {
  return path.split(/(?<=\/)/).map((step, place) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the steps of a path keep their places
    <Fragment key={place}>
      {place > 0 ? <wbr /> : null}
      {step}
    </Fragment>
  ));
}
