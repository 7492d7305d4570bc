import { useMutation, useQueryClient } from "@tanstack/react-query";
import { secondFactorEndpoints as rows } from "../contract/second-factor";
import { meQuery } from "./account";
import { call } from "./call";
import { reading } from "./read";
import { sessionsQuery } from "./settings";

export const secondFactorQuery = reading(["second-factor"], rows.showSecondFactor, {});

export const startTotp = () => call(rows.startTotp, {});
export const confirmTotp = (code: string) => call(rows.confirmTotp, { body: { code } });
export const makeRecoveryCodes = () => call(rows.makeRecoveryCodes, {});
export const removeTotp = () => call(rows.removeTotp, {});
export const removePasskey = (id: string) => call(rows.removePasskey, { id });
export const renamePasskey = (id: string, name: string) =>
  call(rows.renamePasskey, { id, body: { name } });

export async function addPasskey(name: string) {
  const wanted = await call(rows.startPasskey, {});
  const { newPasskey } = await import("./passkeys");
  return call(rows.addPasskey, { body: await newPasskey(wanted, name) });
}

/** Everything that a change of the factors changes on the page. */
export function useFactorsChanged() {
  const client = useQueryClient();
  return () =>
    Promise.all(
      [secondFactorQuery, meQuery, sessionsQuery].map(({ queryKey }) =>
        client.invalidateQueries({ queryKey }),
      ),
    );
}

export function useFactorChange<Input>(change: (input: Input) => Promise<unknown>) {
  return useMutation({ mutationFn: change, onSuccess: useFactorsChanged() });
}
