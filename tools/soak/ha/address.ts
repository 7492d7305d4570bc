/** The address that leads to the primary: HAProxy, where it is installed. */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pause } from "@/lib/timing/pause";
import { freePort } from "@/testing/stage/listen";

export const hasBalancer = spawnSync("haproxy", ["-v"]).status === 0;

export interface Address {
  /** Leaves the connections to the server before open. */
  readonly port: number;
  /**
   * Cuts them, as for a pooler, which would use them again, and holds no attempt to connect, of
   * which a pooler makes one at a time. The worked set-up's does the same.
   */
  readonly cuttingPort: number;
  /** Leads to this server only from now on. */
  moveTo(port: number): Promise<void>;
  stop(): void;
}

export async function startAddress(ports: readonly number[]): Promise<Address> {
  const folder = mkdtempSync(join(tmpdir(), "relay-address-"));
  const [port, cuttingPort, admin] = [await freePort(), await freePort(), await freePort()];
  const servers = (options: string) =>
    ports.map((each) => `  server s${each} 127.0.0.1:${each} ${options}`).join("\n");
  writeFileSync(
    join(folder, "haproxy.cfg"),
    `global
  stats socket ipv4@127.0.0.1:${admin} level admin
defaults
  mode tcp
  timeout connect 1s
  timeout client 1h
  timeout server 1h
listen keeps
  bind 127.0.0.1:${port}
${servers("")}
listen cuts
  bind 127.0.0.1:${cuttingPort}
  retries 0
${servers("on-marked-down shutdown-sessions")}
`,
  );
  const child = spawn("haproxy", ["-db", "-f", join(folder, "haproxy.cfg")], { stdio: "ignore" });
  const tell = (command: string) =>
    new Promise<void>((resolve, reject) => {
      const socket = connect(admin, "127.0.0.1", () => socket.end(`${command}\n`));
      socket.on("data", () => {}).on("close", () => resolve());
      socket.on("error", reject);
    });
  const moveTo = async (wanted: number) => {
    for (const part of ["keeps", "cuts"])
      for (const each of ports)
        await tell(`set server ${part}/s${each} state ${each === wanted ? "ready" : "maint"}`);
  };
  for (;;) {
    const isThere = await moveTo(ports[0] ?? 0).then(
      () => true,
      () => false,
    );
    if (isThere) break;
    await pause(50);
  }
  return {
    port,
    cuttingPort,
    moveTo,
    stop() {
      child.kill("SIGKILL");
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
