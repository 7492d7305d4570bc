/** Lets everything else that waits have its turn. */
export const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
