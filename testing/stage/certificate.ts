import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Makes a certificate of this machine's loopback address, which nobody trusts, in files of a folder. */
export function selfSigned(folder: string): { readonly key: string; readonly cert: string } {
  const [key, cert] = [join(folder, "db.key"), join(folder, "db.crt")];
  const kind = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
  const about = ["-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1"];
  const words = ["req", "-x509", ...kind, "-keyout", key, "-out", cert, ...about];
  execFileSync("openssl", words, { stdio: "ignore" });
  return { key, cert };
}
