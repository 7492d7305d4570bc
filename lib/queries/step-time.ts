/** The middle of a step of the histograms of `usage_row`, in milliseconds. */
export const timeOf = (step: number | null): number | null =>
  step === null ? null : Math.round(2 ** ((step + 0.5) / 16));
