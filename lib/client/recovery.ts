import { recoveryEndpoints } from "../contract/recovery";
import { call } from "./call";

export const forgotPassword = (email: string) =>
  call(recoveryEndpoints.forgotPassword, { body: { email } });

export const resetPassword = (token: string, newPassword: string) =>
  call(recoveryEndpoints.resetPassword, { body: { token, newPassword } });

export const requestEmail = (email: string) =>
  call(recoveryEndpoints.requestEmail, { body: { email } });

export const confirmEmail = (token: string) =>
  call(recoveryEndpoints.confirmEmail, { body: { token } });

export const undoEmail = (token: string) => call(recoveryEndpoints.undoEmail, { body: { token } });

export const closeAccount = (email: string, losesPoints: boolean) =>
  call(recoveryEndpoints.closeAccount, { body: { email, losesPoints } });
