/** The row of a statement that always returns one. */
export function onlyRow<Row>({ rows }: { readonly rows: readonly Row[] }): Row {
  const row = rows[0];
  if (row === undefined) throw new Error("the statement returned no row");
  return row;
}
